import { useQuery } from '@tanstack/react-query'
import { useCallback, useState, useSyncExternalStore } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { recordsQuery } from '../../api/queries/zones/records.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session/session.ts'
import { Button } from '../../ui/page/Button.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Bar } from '../../ui/page/Page.tsx'
import { PlanDialog, type How } from '../../ui/plan/PlanDialog.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { UndoOperation } from './UndoOperation.tsx'

/** Larger zones aren't loaded only to show unchanged records. */
const MAX_READ = 1000

interface WayBackProps {
  domain: Schemas['Domain']
  change: Schemas['Change']
}

/** Reverts, retries or restores, after a preview. */
export function WayBack({ domain, change }: WayBackProps) {
  const m = useMessages('history')
  const { moment } = useFormats()
  const words = m.history
  const [open, setOpen] = useState<'undo' | 'retry' | 'restore' | null>(null)
  const { id, recordCount } = domain
  const { id: changeId, createdAt, operationId, actor } = change
  const { user: me } = useSyncExternalStore(session.subscribe, session.get)
  const mayUndoAll = me !== null && (me.role === 'admin' || me.id === actor.id)
  const isRead = open !== null && recordCount <= MAX_READ
  const { data: zone } = useQuery({ ...recordsQuery(id), enabled: isRead })
  const records = zone ? { records: zone.records } : {}

  const planUndo = useCallback(
    async () =>
      planIn(
        await api.POST('/api/domains/{id}/changes/{changeId}/revert', {
          path: { id, changeId },
          query: { keep: true },
        }),
      ),
    [id, changeId],
  )
  const planRetry = useCallback(
    async () =>
      planIn(
        await api.POST('/api/domains/{id}/changes/{changeId}/retry', {
          path: { id, changeId },
          query: { keep: true },
        }),
      ),
    [id, changeId],
  )
  // The last moment before this change.
  const at = new Date(Date.parse(createdAt) - 1).toISOString()
  const planRestore = useCallback(
    async () =>
      planIn(await api.POST('/api/domains/{id}/restore', { path: { id }, body: { at, keep: true } })),
    [id, at],
  )
  const apply = ({ planId }: Schemas['Plan'], how: How) =>
    api.POST('/api/domains/{id}/records/apply', {
      path: { id },
      body: { planId: planId ?? '', ...how },
    })

  const done = (text: string) => (deed: object) => {
    changed('record', id)
    if (!('operation' in deed)) toast(text)
  }
  return (
    <Bar>
      {change.status !== 'failed' && (
        <Button icon="undo" onPress={() => setOpen('undo')}>
          {words.undo}
        </Button>
      )}
      {(change.status === 'partial' || change.status === 'failed') && (
        <Button icon="sync" onPress={() => setOpen('retry')}>
          {words.retry}
        </Button>
      )}
      <Button icon="history" onPress={() => setOpen('restore')}>
        {words.restore}
      </Button>
      {operationId !== null && mayUndoAll && <UndoOperation id={operationId} />}
      {open === 'undo' && (
        <PlanDialog
          title={words.undoTitle}
          about={<p>{words.undoAbout}</p>}
          plan={planUndo}
          apply={apply}
          canWait
          domain={domain}
          {...records}
          action={words.undoAction}
          onDone={done(words.undone)}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'retry' && (
        <PlanDialog
          title={words.retryTitle}
          about={<p>{words.retryAbout}</p>}
          plan={planRetry}
          apply={apply}
          canWait
          domain={domain}
          {...records}
          action={words.retryAction}
          onDone={done(words.retried)}
          onClose={() => setOpen(null)}
        />
      )}
      {open === 'restore' && (
        <PlanDialog
          title={words.restoreTitle(moment(createdAt))}
          about={<p>{words.restoreAbout}</p>}
          plan={planRestore}
          apply={apply}
          canWait
          domain={domain}
          {...records}
          action={words.restoreAction}
          onDone={done(words.restored)}
          onClose={() => setOpen(null)}
        />
      )}
    </Bar>
  )
}

/** A preview never becomes an operation. */
function planIn(answer: Schemas['Plan'] | Schemas['AcceptedOperation']): Schemas['Plan'] {
  if ('operation' in answer) throw new Error('Expected a plan, but an operation was started')
  return answer
}
