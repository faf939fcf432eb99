import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { changed } from '../../../api/live/live.ts'
import { domainQuery } from '../../../api/queries/zones/domains.ts'
import { recordsQuery } from '../../../api/queries/zones/records.ts'
import type { Schemas } from '../../../api/schema.d.ts'
import { useMessages } from '../../../ui/language.tsx'
import { PlanDialog, type Deed, type How } from '../../../ui/plan/PlanDialog.tsx'
import { countOf } from '../../../ui/plan/PlanView.tsx'
import { toast } from '../../../ui/feedback/Toast.tsx'
import { Skipped } from '../review/Skipped.tsx'
import type { PlannedZone } from './zone-plan.ts'

interface PlanProps {
  domainId: string
  planned: PlannedZone
  onApplied: () => void
  onClose: () => void
}

/** Plan of a zone file, and its apply. */
export function ZonePlan({ domainId, planned, onApplied, onClose }: PlanProps) {
  const m = useMessages('review')
  const words = m.review
  const { data: loaded } = useQuery({ ...recordsQuery(domainId), enabled: false })
  /** Result of the operation; `going` while it runs, null before. */
  const [outcome, setOutcome] = useState<Schemas['OperationOutcome'] | 'going' | null>(null)
  const { data: domain } = useQuery(domainQuery(domainId))
  const apply = ({ planId }: Schemas['Plan'], how: How) =>
    api.POST('/api/domains/{id}/records/apply', {
      path: { id: domainId },
      body: { planId: planId ?? '', ...how },
    })
  function onDone(deed: Deed) {
    changed('record', domainId)
    if ('operation' in deed) {
      setOutcome('going')
      return
    }
    toast(words.applied(countOf(deed as Schemas['Plan'])))
    onApplied()
  }
  return (
    <PlanDialog
      title={words.title}
      about={<Skipped skipped={planned.skipped} />}
      planned={planned.plan}
      plan={planned.again}
      apply={apply}
      canWait
      domain={domain}
      onRequested={onApplied}
      action={words.apply}
      {...(loaded && { records: loaded.records })}
      stays
      onDone={onDone}
      onEnd={setOutcome}
      // Failed changes stay visible and can be reviewed again.
      onClose={outcome === 'going' || outcome === 'succeeded' ? onApplied : onClose}
    />
  )
}
