import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { recordsQuery } from '../../api/queries/zones/records.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { toast } from '../../ui/feedback/Toast.tsx'
import { useMessages } from '../../ui/language.tsx'
import { PlanDialog, type How } from '../../ui/plan/PlanDialog.tsx'
import { useFindingWords } from './useFindingWords.ts'

/** Larger zones aren't loaded only to show unchanged records. */
const MAX_READ = 1000

interface FixProps {
  domain: Schemas['Domain']
  finding: Schemas['HealthFinding']
  /** The changes are applied. */
  onFixed: () => void
  onClose: () => void
}

/** Previews and applies the changes that remove a finding. */
export function FixDialog({ domain, finding, onFixed, onClose }: FixProps) {
  const m = useMessages('health')
  const words = m.health
  const { codeOf } = useFindingWords()
  const { id, recordCount } = domain
  const { fix } = finding
  const { data: zone } = useQuery({ ...recordsQuery(id), enabled: recordCount <= MAX_READ })
  const plan = useCallback(
    () =>
      api.POST('/api/domains/{id}/records/plan', {
        path: { id },
        body: { changes: (fix ?? []) as Schemas['RecordChange'][], keep: true },
      }),
    [id, fix],
  )
  const apply = ({ planId }: Schemas['Plan'], how: How) =>
    api.POST('/api/domains/{id}/records/apply', {
      path: { id },
      body: { planId: planId ?? '', ...how },
    })
  return (
    <PlanDialog
      title={words.fixTitle(codeOf(finding.code))}
      about={<p>{words.fixAbout}</p>}
      plan={plan}
      apply={apply}
      canWait
      domain={domain}
      {...(zone && { records: zone.records })}
      action={words.fixAction}
      onDone={(deed) => {
        changed('record', id)
        if ('operation' in deed) return
        toast(words.fixed)
        onFixed()
      }}
      onClose={onClose}
    />
  )
}
