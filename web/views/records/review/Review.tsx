import { Suspense, useMemo, useState } from 'react'
import { hasCode } from '../../../api/problems.ts'
import type { Schemas } from '../../../api/schema.d.ts'
import { unchangedOf } from '../../../zone/diff.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { Dialog } from '../../../ui/dialogs/Dialog.tsx'
import type { DiffEntry } from '../../../ui/plan/Diff.tsx'
import { DiffGroups } from '../../../ui/plan/DiffGroups.tsx'
import { LaterFields } from '../../../ui/plan/late-later.ts'
import { ReviewRequest } from '../../../ui/plan/late-review.ts'
import { laterOf, NOW } from '../../../ui/plan/later.ts'
import { needsReview, type Emergency } from '../../../ui/plan/review.ts'
import { toast } from '../../../ui/feedback/Toast.tsx'
import { useFormats, useMessages } from '../../../ui/language.tsx'
import { Loading } from '../../../ui/feedback/Loading.tsx'
import { Note } from '../../../ui/feedback/Note.tsx'
import { ProblemNote } from '../../../ui/feedback/ProblemNote.tsx'
import { ReasonList } from '../../../ui/feedback/ReasonList.tsx'
import { useReasons, warned, type Say } from '../../../ui/feedback/reasons.ts'
import { Conflicts } from './Conflicts.tsx'
import type { DnsRecord, Planned } from '../model.ts'
import type { Staged } from './staged.ts'
import { useApplied } from './useApplied.ts'
import { useReview } from './useReview.ts'

interface ReviewProps {
  domain: Schemas['Domain']
  staged: Staged
  records: readonly DnsRecord[]
  /** Opens the conflicting edit. */
  onFix: (id: string, reason: string) => void
  onClose: () => void
  onApplied: () => void
}

/** Previews all staged edits and applies exactly that. */
export function Review({ domain, staged, records, onFix, onClose, onApplied }: ReviewProps) {
  const m = useMessages('plan', 'review')
  const words = m.review
  const { state, plans, error, done, plan, isRefused, apply } = useReview(domain.id, staged)
  const isReviewed = isRefused || needsReview(domain)
  const { moment } = useFormats()
  const [chosen, setChosen] = useState(NOW)
  const later = laterOf(chosen)
  const tell = useApplied(domain.id)
  const unsettled = staged.pending.length
  const say = useReasons(plans.some((planned) => planned.plan.warnings.length > 0))
  const entries = (kind: 'creates' | 'updates' | 'deletes') =>
    plans.flatMap((planned) =>
      planned.plan[kind].map((change) => entryOf(change, planned, words.aligned, say)),
    )
  const groups = [
    { title: words.deletes, entries: entries('deletes') },
    { title: words.updates, entries: entries('updates') },
    { title: words.creates, entries: entries('creates') },
  ]
  const count = groups.reduce((sum, group) => sum + group.entries.length, 0)
  const unchanged = useMemo(
    () =>
      unchangedOf(
        records,
        plans.flatMap(({ plan: { deletes, updates, creates } }) => [...deletes, ...updates, ...creates]),
      ),
    [records, plans],
  )
  const hasConflicts = plans.some((planned) => planned.plan.conflicts.length > 0)
  const isBlocked =
    state === 'planning' || later === null || hasConflicts || count === 0 || plans.some(isSpent)

  async function confirm(emergency?: Emergency) {
    const made = await apply({ ...emergency, ...later })
    if (made === null) return
    const at = made.find((one) => one.at !== null)?.at
    if (at) toast(m.plan.scheduled(moment(at)))
    else
      tell(
        count,
        made.flatMap(({ changeId }) => changeId ?? []),
      )
    onApplied()
    onClose()
  }

  return (
    <Dialog
      title={words.title}
      wide
      onClose={onClose}
      actions={
        <>
          {!isReviewed && (
            <Button
              look="primary"
              sends
              isPending={state === 'applying'}
              isDisabled={isBlocked}
              onPress={() => void confirm()}
            >
              {chosen.isTimed ? m.plan.schedule(count) : words.apply(count)}
            </Button>
          )}
          <Button onPress={onClose}>{m.common.cancel}</Button>
        </>
      }
    >
      {error !== null && (
        <ProblemNote
          error={error}
          {...(hasCode(error, 'plan_outdated') || (plans.length === 0 && unsettled === 0)
            ? { retry: plan }
            : {})}
        />
      )}
      {done > 0 && <Note tone="warn">{words.partly}</Note>}
      {unsettled > 0 && <Note tone="info">{words.unsettled(unsettled)}</Note>}
      {state === 'planning' ? (
        <Loading lines={4} />
      ) : (
        <>
          {isReviewed && count > 0 && (
            <Suspense>
              <ReviewRequest
                domainId={domain.id}
                wanted={plans.map((planned) => ({ planId: planned.plan.planId ?? '' }))}
                isDisabled={isBlocked}
                later={later ?? {}}
                bypass={confirm}
                onRequested={() => {
                  staged.settle(
                    plans.flatMap(({ edits }) => edits.map(([id]) => id)),
                    [],
                  )
                  onClose()
                }}
              />
            </Suspense>
          )}
          {hasConflicts && <Conflicts {...{ plans, staged, records, domain: domain.name, plan, onFix }} />}
          {count === 0 && !hasConflicts && error === null && <p>{words.none}</p>}
          {plans.length > 1 && <Note tone="info">{words.manyPlans(plans.length)}</Note>}
          <Warnings plans={plans} />
          <DiffGroups groups={groups} unchanged={unchanged} />
          {count > 0 && !hasConflicts && (
            <Suspense>
              <LaterFields value={chosen} onChange={setChosen} />
            </Suspense>
          )}
        </>
      )}
    </Dialog>
  )
}

const isSpent = ({ plan }: Planned) => !plan.planId

function entryOf(
  { index, recordId, before, after }: Schemas['PlannedChange'],
  { plan, edits }: Planned,
  aligned: string,
  say: Say,
): DiffEntry {
  const reason = index === null ? null : edits[index]?.[1].tried?.reason
  const warnings = plan.warnings.filter((warning) => warning.index === index && index !== null)
  const notes = [
    ...(index === null ? [aligned] : []),
    ...warnings.map((warning) => say(warned(warning)).text),
    ...(reason ? [reason] : []),
  ]
  return {
    id: `${recordId}-${index ?? 'aligned'}`,
    before,
    after,
    ...(notes.length > 0 && { note: notes.join(' ') }),
  }
}

function Warnings({ plans }: { plans: readonly Planned[] }) {
  const m = useMessages('review')
  const general = plans.flatMap(({ plan }) => plan.warnings.filter(({ index }) => index === null))
  if (general.length === 0) return null
  return (
    <Note tone="warn">
      <strong>{m.review.warnings}</strong>
      <ReasonList reasons={general.map(warned)} />
    </Note>
  )
}
