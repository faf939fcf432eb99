import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { domainQuery } from '../../api/queries/zones/domains.ts'
import { recordsQuery } from '../../api/queries/zones/records.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { byName, unchangedOf } from '../../zone/diff.ts'
import { useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/feedback/Note.tsx'
import { ReasonList } from '../../ui/feedback/ReasonList.tsx'
import { warned } from '../../ui/feedback/reasons.ts'
import { Diff } from '../../ui/plan/Diff.tsx'
import { DiffGroups } from '../../ui/plan/DiffGroups.tsx'
import { visible } from '../../ui/visible.ts'

/** Larger zones aren't loaded only to show unchanged records. */
const MAX_READ = 1000
/** With more names, they are one list of which only visible lines are rendered. */
const MAX_GROUPS = 50

interface PlanProps {
  plan: Schemas['ReviewedPlan']
  domainId: string
  /** Not decided yet, so that the records around it are those of now. */
  isOpen: boolean
}

/** What an approval applies, by name. */
export function RequestPlan({ plan, domainId, isOpen }: PlanProps) {
  const m = useMessages('changeRequests')
  const words = m.changeRequests
  const { data: domain } = useQuery({ ...domainQuery(domainId), enabled: isOpen })
  const isRead = isOpen && domain !== undefined && domain.recordCount <= MAX_READ
  const { data: zone } = useQuery({ ...recordsQuery(domainId), enabled: isRead })
  const { deletes, updates, creates, warnings } = plan
  const changes = useMemo(() => [...deletes, ...updates, ...creates], [deletes, updates, creates])
  const unchanged = useMemo(
    () => unchangedOf((isRead && zone?.records) || [], changes),
    [isRead, zone, changes],
  )
  const groups = useMemo(
    () =>
      byName(changes).map(([name, own]) => ({
        title: visible(name),
        entries: own.map(({ recordId, before, after }, at) => ({ id: `${recordId}-${at}`, before, after })),
      })),
    [changes],
  )
  return (
    <>
      {warnings.length > 0 && (
        <Note tone="warn">
          <strong>{words.warnings}</strong>
          <ReasonList reasons={warnings.map(warned)} />
        </Note>
      )}
      {groups.length <= MAX_GROUPS ? (
        <DiffGroups groups={groups} unchanged={unchanged} />
      ) : (
        <Diff
          label={words.changes}
          entries={groups.flatMap(({ entries }) => entries)}
          unchanged={unchanged}
        />
      )}
    </>
  )
}
