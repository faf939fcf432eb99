import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { requestsQuery } from '../../api/queries/access.ts'
import { session } from '../../api/session/session.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Select } from '../../ui/fields/Choice.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty } from '../../ui/feedback/Note.tsx'
import { Bar, Page, Pager } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { Table } from '../../ui/page/Table.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { ApproveDialog } from './ApproveDialog.tsx'
import { AskDialog } from './AskDialog.tsx'
import { useColumns, type Deciding } from './columns.tsx'
import { RejectDialog } from './RejectDialog.tsx'

const STATES = ['pending', 'approved', 'rejected', 'cancelled'] as const

/** Access requests; members see their own. */
export function Requests() {
  const m = useMessages('requests')
  const words = m.requests
  const { status, page = 1, domain, name } = useSearch({ from: '/inside/requests' })
  const navigate = useNavigate({ from: '/requests' })
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const isAdmin = user?.role === 'admin'
  const { data: list, error, refetch } = useQuery(requestsQuery(status, page))
  const [deciding, setDeciding] = useState<Deciding | null>(null)
  const [isAsking, setAsking] = useState(domain !== undefined && !isAdmin)
  const columns = useColumns({ isAdmin, userId: user?.id, onDecide: setDeciding })
  const close = () => setDeciding(null)
  const closeAsking = () => {
    setAsking(false)
    if (domain !== undefined) void navigate({ search: { status }, replace: true })
  }
  const ask = !isAdmin && (
    <Button look="primary" icon="plus" onPress={() => setAsking(true)}>
      {words.ask}
    </Button>
  )
  return (
    <Page wide title={words.title} about={isAdmin ? words.aboutAdmin : words.aboutMember} actions={ask}>
      <Bar>
        <Select
          quiet
          label={words.filter}
          value={status ?? 'any'}
          onChange={(chosen) =>
            void navigate({ search: { status: chosen === 'any' ? undefined : chosen }, replace: true })
          }
          options={[
            { id: 'any', text: words.any },
            ...STATES.map((one) => ({ id: one, text: words.status[one] })),
          ]}
        />
      </Bar>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!list && !error && <Loading />}
      {list?.total === 0 &&
        (status === undefined ? (
          <Empty icon="inbox" action={ask}>
            {isAdmin ? words.none : words.noneOwn}
          </Empty>
        ) : (
          <Empty
            icon="search"
            action={<Button onPress={() => void navigate({ search: {} })}>{m.common.clearFilter}</Button>}
          >
            {words.noneFound}
          </Empty>
        ))}
      {list && list.total > 0 && (
        <>
          <Table label={words.title} rows={list.requests} columns={columns} idOf={({ id }) => id} />
          <Pager
            page={list.page}
            limit={list.limit}
            total={list.total}
            onPage={(next) => void navigate({ search: { status, page: next > 1 ? next : undefined } })}
          />
        </>
      )}
      {isAsking && <AskDialog domain={domain ?? ''} pattern={name ?? '*'} onClose={closeAsking} />}
      {deciding?.what === 'approve' && <ApproveDialog request={deciding.request} onClose={close} />}
      {deciding?.what === 'reject' && <RejectDialog request={deciding.request} onClose={close} />}
      {deciding?.what === 'cancel' && <CancelDialog request={deciding.request} onClose={close} />}
    </Page>
  )
}

function CancelDialog({
  request: { id, host },
  onClose,
}: {
  request: Deciding['request']
  onClose: () => void
}) {
  const m = useMessages('requests')
  const words = m.requests
  return (
    <Confirm
      title={words.cancelTitle}
      action={words.cancel}
      onConfirm={async () => {
        await api.POST('/api/assignments/requests/{id}/cancel', { path: { id } })
        changed('assignment')
        toast(words.cancelled)
      }}
      onClose={() => onClose()}
    >
      <p>{words.cancelText(host)}</p>
    </Confirm>
  )
}
