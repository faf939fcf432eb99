import { useMemo } from 'react'
import type { Schemas } from '../../api/schema.d.ts'
import { unchangedOf } from '../../zone/diff.ts'
import { DiffGroups } from './DiffGroups.tsx'
import { useMessages } from '../language.tsx'
import { Note } from '../feedback/Note.tsx'
import { ReasonList } from '../feedback/ReasonList.tsx'
import { reasonsOf, warned, type ToldReason } from '../feedback/reasons.ts'

type Plan = Pick<Schemas['Plan'], 'creates' | 'updates' | 'deletes' | 'conflicts' | 'warnings'>

export const countOf = ({ creates, updates, deletes }: Plan): number =>
  creates.length + updates.length + deletes.length

interface PlanProps {
  plan: Plan
  /** Records of the zone, to show unchanged ones of the same RRsets. */
  records?: readonly Schemas['DnsRecord'][]
}

/** A plan: conflicts, then warnings, then changes. */
export function PlanView({ plan, records }: PlanProps) {
  const m = useMessages('plan')
  const words = m.plan
  const { deletes, updates, creates } = plan
  const unchanged = useMemo(
    () => unchangedOf(records ?? [], [...deletes, ...updates, ...creates]),
    [records, deletes, updates, creates],
  )
  const entriesOf = (changes: Plan['creates']) =>
    changes.map(({ recordId, before, after }, at) => ({ id: `${recordId}-${at}`, before, after }))
  return (
    <>
      {plan.conflicts.length > 0 && (
        <Told tone="bad" title={words.conflicts} reasons={plan.conflicts.flatMap(reasonsOf)} />
      )}
      {plan.warnings.length > 0 && (
        <Told tone="warn" title={words.warnings} reasons={plan.warnings.map(warned)} />
      )}
      {countOf(plan) === 0 && plan.conflicts.length === 0 && <p>{words.none}</p>}
      <DiffGroups
        groups={[
          { title: words.deletes, entries: entriesOf(deletes) },
          { title: words.updates, entries: entriesOf(updates) },
          { title: words.creates, entries: entriesOf(creates) },
        ]}
        unchanged={unchanged}
      />
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
