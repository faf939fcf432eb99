import { useMemo } from 'react'
import type { Schemas } from '../api/schema.d.ts'
import { unchangedOf } from '../dns/diff.ts'
import { Diff, type DiffEntry } from './Diff.tsx'
import { useMessages } from './language.tsx'
import { Note } from './Note.tsx'
import { ReasonList } from './ReasonList.tsx'
import { reasonsOf, warned, type ToldReason } from './reasons.ts'

type Plan = Pick<Schemas['Plan'], 'creates' | 'updates' | 'deletes' | 'conflicts' | 'warnings'>

export const countOf = ({ creates, updates, deletes }: Plan): number =>
  creates.length + updates.length + deletes.length

interface PlanProps {
  plan: Plan
  /** Those of the zone: what stays of a set is seen beside what changes. */
  records?: readonly Schemas['DnsRecord'][]
}

/** What a plan would do: what stands in the way first, then what is worth a look, then record by record. */
export function PlanView({ plan, records }: PlanProps) {
  const m = useMessages('plan')
  const words = m.plan
  const { deletes, updates, creates } = plan
  const unchanged = useMemo(
    () => unchangedOf(records ?? [], [...deletes, ...updates, ...creates]),
    [records, deletes, updates, creates],
  )
  const groups = [
    { title: words.deletes, changes: deletes },
    { title: words.updates, changes: updates },
    { title: words.creates, changes: creates },
  ].filter(({ changes }) => changes.length > 0)
  return (
    <>
      {plan.conflicts.length > 0 && (
        <Told tone="bad" title={words.conflicts} reasons={plan.conflicts.flatMap(reasonsOf)} />
      )}
      {plan.warnings.length > 0 && (
        <Told tone="warn" title={words.warnings} reasons={plan.warnings.map(warned)} />
      )}
      {groups.length === 0 && plan.conflicts.length === 0 && <p>{words.none}</p>}
      {groups.map(({ title, changes }) => (
        <section key={title} className="stack">
          <h3>
            {title} ({changes.length})
          </h3>
          <Diff
            label={title}
            unchanged={unchanged}
            entries={changes.map(({ recordId, before, after }, at): DiffEntry => ({
              id: `${recordId}-${at}`,
              before,
              after,
            }))}
          />
        </section>
      ))}
    </>
  )
}

function Told({
  tone,
  title,
  reasons,
}: {
  tone: 'bad' | 'warn'
  title: string
  reasons: readonly ToldReason[]
}) {
  return (
    <Note tone={tone}>
      <strong>{title}</strong>
      <ReasonList reasons={reasons} />
    </Note>
  )
}
