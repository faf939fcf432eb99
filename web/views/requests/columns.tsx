import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Badge, type Tone } from '../../ui/feedback/Note.tsx'
import { Bar } from '../../ui/page/Page.tsx'
import type { Column } from '../../ui/page/Table.tsx'
import { visible } from '../../ui/visible.ts'

type Request = Schemas['AssignmentRequest']

export interface Deciding {
  what: 'approve' | 'reject' | 'cancel'
  request: Schemas['AssignmentRequest']
}

const TONES: Record<Request['status'], Tone> = {
  pending: 'warn',
  approved: 'good',
  rejected: 'bad',
  cancelled: 'plain',
}

interface Options {
  isAdmin: boolean
  userId: string | undefined
  onDecide: (deciding: Deciding) => void
}

export function useColumns({ isAdmin, userId, onDecide }: Options): Column<Request>[] {
  const m = useMessages('access', 'requests')
  const { ago, utc } = useFormats()
  const words = m.requests
  const who: Column<Request> = {
    id: 'who',
    title: words.who,
    head: true,
    tight: true,
    cell: ({ username }) => visible(username),
  }
  return [
    ...(isAdmin ? [who] : []),
    {
      id: 'wants',
      title: words.wants,
      head: !isAdmin,
      cell: ({ permission, host }) => (
        <>
          {m.access.permission[permission]} <code>{visible(host)}</code>
        </>
      ),
    },
    { id: 'reason', title: words.reason, cell: ({ reason }) => visible(reason) },
    {
      id: 'status',
      title: m.common.status,
      cell: ({ status, decidedByName, decidedAt, decisionReason }) => (
        <>
          <Badge tone={TONES[status]}>{words.status[status]}</Badge>{' '}
          {decidedByName !== null && decidedAt !== null && status !== 'cancelled' && (
            <span className="muted" title={utc(decidedAt)}>
              {words.decided(visible(decidedByName), ago(decidedAt))}
            </span>
          )}
          {decisionReason !== null && <p>{visible(decisionReason)}</p>}
        </>
      ),
    },
    {
      id: 'when',
      title: words.when,
      tight: true,
      cell: ({ createdAt }) => (
        <time dateTime={createdAt} title={utc(createdAt)} className="muted">
          {ago(createdAt)}
        </time>
      ),
    },
    {
      id: 'act',
      title: m.common.actions,
      quiet: true,
      tight: true,
      cell: (request) =>
        request.status === 'pending' && (
          <Bar>
            {isAdmin && (
              <>
                <Button onPress={() => onDecide({ what: 'approve', request })}>{words.approve}</Button>
                <Button onPress={() => onDecide({ what: 'reject', request })}>{words.reject}</Button>
              </>
            )}
            {request.userId === userId && (
              <Button onPress={() => onDecide({ what: 'cancel', request })}>{words.cancel}</Button>
            )}
          </Bar>
        ),
    },
  ]
}
