import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { deliveriesQuery } from '../../api/queries/channels.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { readable, visible } from '../../ui/visible.ts'
import { ActionButton } from '../../ui/page/ActionButton.tsx'
import { Select } from '../../ui/fields/Choice.tsx'
import { Failure } from '../../ui/feedback/Failure.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Badge } from '../../ui/feedback/Note.tsx'
import { Bar, Card, Pager } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { Table } from '../../ui/page/Table.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'

type Status = Schemas['DeliveryStatus']

const STATES: readonly Status[] = ['pending', 'delivered', 'dead']
const TONES = { pending: 'warn', delivered: 'good', dead: 'bad' } as const

/** Messages of a channel with attempts and the receiver's answer. */
export function Deliveries({ id }: { id: string }) {
  const m = useMessages('channels')
  const { ago, utc } = useFormats()
  const words = m.channels.log
  const [status, setStatus] = useState<Status | 'any'>('any')
  const [page, setPage] = useState(1)
  const {
    data: log,
    error,
    refetch,
  } = useQuery(deliveriesQuery(id, status === 'any' ? undefined : status, page))
  const replay = async (deliveryId: string) => {
    await api.POST('/api/notifications/configs/{id}/deliveries/{deliveryId}/replay', {
      path: { id, deliveryId },
    })
    changed('channel')
    toast(words.replayed)
  }
  return (
    <Card title={words.title}>
      <Bar>
        <Select
          quiet
          label={words.filter}
          value={status}
          onChange={(next) => {
            setStatus(next)
            setPage(1)
          }}
          options={[
            { id: 'any' as const, text: words.any },
            ...STATES.map((one) => ({ id: one, text: words.status[one] })),
          ]}
        />
      </Bar>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!log && !error && <Loading lines={3} />}
      {log?.total === 0 && <p role="status">{status === 'any' ? words.none : words.noneFound}</p>}
      {log && log.total > 0 && (
        <>
          <Table
            label={words.title}
            rows={log.deliveries}
            idOf={(one) => one.id}
            columns={[
              {
                id: 'message',
                title: words.message,
                head: true,
                cell: ({ title, event }) => (
                  <>
                    <span lang="en">{visible(readable(title))}</span> <code>{event}</code>
                  </>
                ),
              },
              {
                id: 'when',
                title: words.when,
                cell: ({ createdAt }) => <span title={utc(createdAt)}>{ago(createdAt)}</span>,
              },
              { id: 'tries', title: words.triesTitle, end: true, cell: ({ tries }) => words.tries(tries) },
              {
                id: 'status',
                title: m.common.status,
                cell: ({ status: state, error: reason, errorCode, errorParams, nextTryAt }) => (
                  <>
                    <Badge tone={TONES[state]}>{words.status[state]}</Badge>{' '}
                    {state === 'pending' && nextTryAt !== null && (
                      <span className="muted" title={utc(nextTryAt)}>
                        {words.next(ago(nextTryAt))}
                      </span>
                    )}
                    {reason !== null && (
                      <div>
                        <Failure error={reason} errorCode={errorCode} errorParams={errorParams} />
                      </div>
                    )}
                  </>
                ),
              },
              {
                id: 'act',
                title: m.common.actions,
                quiet: true,
                cell: (one) =>
                  one.status === 'dead' && (
                    <ActionButton icon="sync" onAct={() => replay(one.id)}>
                      {words.replay}
                    </ActionButton>
                  ),
              },
            ]}
          />
          <Pager page={log.page} limit={log.limit} total={log.total} onPage={setPage} />
        </>
      )}
    </Card>
  )
}
