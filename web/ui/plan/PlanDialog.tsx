import { Suspense, useCallback, useEffect, useState, type ReactNode } from 'react'
import { lastApplied } from '../../api/applied.ts'
import { ApiProblem, hasCode } from '../../api/problems.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../page/Button.tsx'
import { Dialog } from '../dialogs/Dialog.tsx'
import { useFormats, useMessages } from '../language.tsx'
import { Loading } from '../feedback/Loading.tsx'
import { Note } from '../feedback/Note.tsx'
import { OperationProgress } from '../feedback/OperationProgress.tsx'
import { LaterFields } from './late-later.ts'
import { ReviewRequest } from './late-review.ts'
import { laterOf, NOW, scheduledFor, type Later } from './later.ts'
import { countOf, PlanView } from './PlanView.tsx'
import { needsReview, type Emergency } from './review.ts'
import { toast } from '../feedback/Toast.tsx'
import { changed } from '../../api/live/live.ts'
import { ProblemNote } from '../feedback/ProblemNote.tsx'

type Plan = Schemas['Plan']

/** Answer of an apply: applied, or continued as an operation. */
export type Deed = Schemas['AcceptedOperation'] | object

/** Members that go along with the plan when it is applied. */
export type How = Partial<Emergency> & Later

interface PlanDialogProps {
  title: string
  /** Introduction. */
  about?: ReactNode
  /** Requests the plan. A new function requests it again. */
  plan: () => Promise<Plan>
  /** A known plan; requested only when it is outdated. */
  planned?: Plan
  /** Applies the plan; with an emergency, without the review that the domain requires. */
  apply: (plan: Plan, how: How) => Promise<Deed>
  /** Can be applied at a time, and only if it is confirmed. */
  canWait?: boolean
  /** The domain whose review policy covers the plan; omitted: none does. */
  domain?: Schemas['Domain'] | undefined
  /** Label of the apply button. */
  action: (count: number) => string
  /** Records of the zone, if known. */
  records?: readonly Schemas['DnsRecord'][]
  /** Conflicting changes are left out. */
  skipsConflicts?: boolean
  /** Can be applied even without record changes. */
  allowsNone?: boolean
  /** The opener shows the next step: the dialog does not close itself. */
  stays?: boolean
  /** Called after the apply. */
  onDone: (deed: Deed) => void
  /** Called when the operation ended, if still open. */
  onEnd?: (outcome: Schemas['OperationOutcome']) => void
  /** Called when a review was requested instead. */
  onRequested?: (() => void) | undefined
  onClose: () => void
}

/** Previews a plan and applies exactly that. */
export function PlanDialog({
  title,
  about,
  plan: ask,
  planned,
  apply,
  domain,
  canWait = false,
  action,
  records,
  skipsConflicts = false,
  allowsNone = false,
  stays = false,
  onDone,
  onEnd,
  onRequested,
  onClose,
}: PlanDialogProps) {
  const m = useMessages('plan')
  const { moment } = useFormats()
  const [chosen, setChosen] = useState(NOW)
  const later = laterOf(chosen)
  const [plan, setPlan] = useState<Plan | null>(planned ?? null)
  const [error, setError] = useState<unknown>(null)
  /** The apply was refused, so the plan is outdated. A lost answer is not a refusal; the same request may be sent again. */
  const [isSpent, setSpent] = useState(false)
  const [isPending, setPending] = useState(false)
  const [operation, setOperation] = useState<string | null>(null)
  /** The service asks for a review, though the domain as it was loaded does not. */
  const [isRefused, setRefused] = useState(false)
  const isReviewed = domain !== undefined && (isRefused || needsReview(domain))
  const look = useCallback(() => {
    let isCurrent = true
    setPlan(null)
    setError(null)
    setSpent(false)
    ask().then(
      (found) => isCurrent && setPlan(found),
      (problem: unknown) => isCurrent && setError(problem),
    )
    return () => {
      isCurrent = false
    }
  }, [ask])
  useEffect(() => (planned ? undefined : look()), [planned, look])

  async function send(shown: Plan, emergency?: Emergency) {
    const deed = await apply(shown, { ...emergency, ...later })
    const at = scheduledFor(deed)
    if (domain && at !== null) {
      changed('record', domain.id)
      toast(m.plan.scheduled(moment(at)))
      onClose()
      return
    }
    const changeId = changeIdOf(deed)
    if (domain && changeId !== null) lastApplied.set({ domainId: domain.id, changeId })
    onDone(deed)
    if ('operation' in deed) setOperation(deed.operation.id)
    else if (!stays) onClose()
  }
  async function confirm(shown: Plan) {
    setPending(true)
    setError(null)
    try {
      await send(shown)
    } catch (problem) {
      if (domain && hasCode(problem, 'review_required')) setRefused(true)
      else {
        setError(problem)
        setSpent(problem instanceof ApiProblem)
      }
    }
    setPending(false)
  }
  const count = plan ? countOf(plan) : 0
  const isBlocked = plan !== null && plan.conflicts.length > 0 && !skipsConflicts
  return (
    <Dialog
      title={title}
      wide
      onClose={onClose}
      actions={
        operation === null ? (
          <>
            {!isReviewed && (
              <Button
                look="primary"
                sends
                isPending={isPending}
                isDisabled={!plan || !later || isBlocked || isSpent || (count === 0 && !allowsNone)}
                onPress={() => plan && void confirm(plan)}
              >
                {chosen.isTimed ? m.plan.schedule(count) : action(count)}
              </Button>
            )}
            <Button onPress={onClose}>{m.common.cancel}</Button>
          </>
        ) : (
          <Button onPress={onClose}>{m.common.close}</Button>
        )
      }
    >
      {about}
      {isSpent && isGone(error) ? (
        <Note
          tone="bad"
          alert
          actions={
            <Button icon="sync" onPress={look}>
              {m.common.tryAgain}
            </Button>
          }
        >
          {m.problems.byCode.plan_outdated}
        </Note>
      ) : (
        error !== null && <ProblemNote error={error} retry={look} />
      )}
      {operation !== null && <OperationProgress id={operation} {...(onEnd && { onEnd })} />}
      {operation === null && !plan && error === null && <Loading lines={4} />}
      {operation === null && plan && isReviewed && (
        <Suspense>
          <ReviewRequest
            domainId={domain.id}
            wanted={[{ planId: plan.planId ?? '' }]}
            isDisabled={isBlocked || count === 0 || !later}
            later={later ?? {}}
            bypass={(emergency) => send(plan, emergency)}
            onRequested={onRequested}
          />
        </Suspense>
      )}
      {operation === null && plan && <PlanView plan={plan} {...(records && { records })} />}
      {operation === null && plan && canWait && count > 0 && (
        <Suspense>
          <LaterFields value={chosen} onChange={setChosen} />
        </Suspense>
      )}
    </Dialog>
  )
}

const changeIdOf = (deed: object): string | null =>
  'changeId' in deed && typeof deed.changeId === 'string' ? deed.changeId : null

/** A kept plan lasts an hour and can be applied once. */
const isGone = (error: unknown) => hasCode(error, 'plan_outdated') || hasCode(error, 'not_found')
