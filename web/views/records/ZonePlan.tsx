import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, data } from '../../api/client.ts'
import { changed } from '../../api/live.ts'
import { recordsQuery } from '../../api/queries/records.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Note } from '../../ui/Note.tsx'
import { countOf, PlanView } from '../../ui/PlanView.tsx'
import { ProblemNote } from '../../ui/ProblemNote.tsx'
import { toast } from '../../ui/Toast.tsx'
import { visible } from '../../ui/visible.ts'
import type { PlannedZone } from './zone-plan.ts'

interface PlanProps {
  domainId: string
  planned: PlannedZone
  onApplied: () => void
  onClose: () => void
}

/** So many lines that are left alone are listed. */
const LISTED = 100

/** What a zone file asks for, and doing just that. */
export function ZonePlan({ domainId, planned: { plan, skipped }, onApplied, onClose }: PlanProps) {
  const m = useMessages('records')
  const words = m.records.review
  const { number } = useFormats()
  const { data: loaded } = useQuery({ ...recordsQuery(domainId), enabled: false })
  const [error, setError] = useState<unknown>(null)
  const [isPending, setPending] = useState(false)
  const count = countOf(plan)
  async function apply(planId: string) {
    setPending(true)
    setError(null)
    try {
      const params = { path: { id: domainId } }
      const answer = await data(api.POST('/api/domains/{id}/records/apply', { params, body: { planId } }))
      toast('operation' in answer ? m.records.text.large : words.applied(count))
      changed('record', domainId)
      onApplied()
    } catch (problem) {
      setError(problem)
      setPending(false)
    }
  }
  return (
    <Dialog
      title={words.title}
      wide
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{m.common.cancel}</Button>
          <Button
            look="primary"
            sends
            isPending={isPending}
            isDisabled={!plan.planId || count === 0}
            onPress={() => plan.planId && void apply(plan.planId)}
          >
            {words.apply(count)}
          </Button>
        </>
      }
    >
      {error !== null && <ProblemNote error={error} />}
      {skipped.length > 0 && (
        <Note tone="info">
          {m.records.text.skipped} {number(skipped.length)}
          <ul>
            {skipped.slice(0, LISTED).map(({ line, name, type, reason }) => (
              <li key={line}>
                {m.records.paste.line} {line}:{' '}
                <code>
                  {visible(name)} {visible(type)}
                </code>{' '}
                <span lang="en">{visible(reason)}</span>
              </li>
            ))}
          </ul>
        </Note>
      )}
      <PlanView plan={plan} {...(loaded && { records: loaded.records })} />
    </Dialog>
  )
}
