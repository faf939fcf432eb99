import type { Schemas } from '../../../api/schema.d.ts'
import { Button } from '../../../ui/page/Button.tsx'
import { Diff } from '../../../ui/plan/Diff.tsx'
import { useMessages } from '../../../ui/language.tsx'
import { Note } from '../../../ui/feedback/Note.tsx'
import { Bar } from '../../../ui/page/Page.tsx'
import { ReasonList } from '../../../ui/feedback/ReasonList.tsx'
import { reasonsOf, useReasons } from '../../../ui/feedback/reasons.ts'
import { visible } from '../../../ui/visible.ts'
import { asZoneLine } from '../zone-files/zone-text.ts'
import { fieldsOf, type DnsRecord, type Edit, type Planned } from '../model.ts'
import type { Staged } from './staged.ts'

interface ConflictsProps {
  plans: readonly Planned[]
  staged: Staged
  records: readonly DnsRecord[]
  domain: string
  plan: () => void
  /** Opens the conflicting edit. */
  onFix: (id: string, reason: string) => void
}

/** Conflicts of a plan, each with possible actions. */
export function Conflicts({ plans, staged, records, domain, plan, onFix }: ConflictsProps) {
  const m = useMessages('review')
  return (
    <section className="stack">
      <h3>{m.review.conflicts}</h3>
      {plans.flatMap(({ plan: { conflicts }, edits }) =>
        conflicts.map((conflict) => {
          const [id, edit] = edits[conflict.index] ?? []
          const record = records.find((one) => one.id === id)
          return (
            <Conflict
              key={`${id}-${conflict.index}`}
              {...{ conflict, id, edit, record, staged, domain, plan, onFix }}
            />
          )
        }),
      )}
      <Bar>
        <Button icon="sync" onPress={plan}>
          {m.common.tryAgain}
        </Button>
      </Bar>
    </section>
  )
}

interface ConflictProps extends Pick<ConflictsProps, 'staged' | 'domain' | 'plan' | 'onFix'> {
  conflict: Schemas['PlanConflict']
  id: string | undefined
  edit: Edit | undefined
  record: DnsRecord | undefined
}

function Conflict({ conflict, id, edit, record, staged, domain, plan, onFix }: ConflictProps) {
  const m = useMessages('review')
  const words = m.review
  const reasons = reasonsOf(conflict)
  const say = useReasons()
  const reason = reasons.map((one) => say(one).text).join('; ')
  if (id === undefined || !edit)
    return (
      <Note tone="bad">
        <ReasonList reasons={reasons} />
      </Note>
    )
  const { kind, current } = conflict
  const then = (act: () => void) => () => {
    act()
    plan()
  }
  const leaveOut = then(() => staged.drop([id]))
  if (kind === 'outdated' && current && record)
    return (
      <Note
        tone="bad"
        actions={
          <>
            <Button onPress={leaveOut}>{words.takeTheirs}</Button>
            <Button onPress={then(() => staged.rebase({ ...record, version: current.version }))}>
              {words.keepMine}
            </Button>
          </>
        }
      >
        <p>{words.outdated}</p>
        <Diff
          isPart
          label={words.outdated}
          entries={[
            {
              id,
              before: current,
              after: edit.kind === 'update' ? { ...current, ...edit.fields } : null,
            },
          ]}
        />
      </Note>
    )
  const now =
    edit.kind === 'create'
      ? edit.fields
      : record && { ...fieldsOf(record), ...(edit.kind === 'update' && edit.fields) }
  return (
    <Note
      tone="bad"
      actions={
        <>
          {edit.kind !== 'delete' && kind !== 'not_found' && (
            <Button onPress={() => onFix(id, reason)}>{words.fix}</Button>
          )}
          <Button onPress={leaveOut}>{words.leaveOut}</Button>
        </>
      }
    >
      {now && <p className="mono">{visible(asZoneLine(now, domain).replaceAll('\t', ' '))}</p>}
      <ReasonList reasons={reasons} />
    </Note>
  )
}
