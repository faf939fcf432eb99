import { useNavigate } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session/session.ts'
import { hasEnded, kindOf } from '../../zone/patterns.ts'
import { readable, visible } from '../../ui/visible.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Menu } from '../../ui/page/Menu.tsx'
import { Badge } from '../../ui/feedback/Note.tsx'
import { Table, type Column } from '../../ui/page/Table.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { AssignmentDialog } from './AssignmentDialog.tsx'

type Assignment = Schemas['Assignment']

/** A permission in words. */
export function useMay() {
  const m = useMessages('access')
  const { list } = useFormats()
  return ({ permission, recordTypes }: Pick<Assignment, 'permission' | 'recordTypes'>) =>
    permission === 'write' && recordTypes
      ? m.access.changeTypes(list(recordTypes))
      : m.access.permission[permission]
}

interface ListProps {
  assignments: readonly Assignment[]
  label: string
  /** May be edited and revoked. */
  mayManage: boolean
  /** The user is known: show the domain instead. */
  ofUser?: boolean
}

/** Table of permissions; expired ones are folded below. */
export function Assignments({ assignments, label, mayManage, ofUser = false }: ListProps) {
  const m = useMessages('access', 'shell')
  const formats = useFormats()
  const may = useMay()
  const [edited, setEdited] = useState<Assignment | null>(null)
  const [dropped, setDropped] = useState<Assignment | null>(null)
  const [left, setLeft] = useState<Assignment | null>(null)
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const counting = assignments.filter((one) => !hasEnded(one))
  const ended = assignments.filter((one) => hasEnded(one))

  const columns: Column<Assignment>[] = [
    {
      id: 'who',
      title: ofUser ? m.shell.domains : m.access.who,
      head: true,
      cell: ({ username, domainName }) => visible(ofUser ? readable(domainName) : username),
    },
    {
      id: 'names',
      title: m.access.names,
      cell: ({ subdomainPattern, host }) => (
        <>
          <code>{visible(subdomainPattern === '*' ? '*' : host)}</code>{' '}
          <span className="muted">{m.access.kinds[kindOf(subdomainPattern)]}</span>
        </>
      ),
    },
    {
      id: 'may',
      title: m.access.what,
      cell: (one) => <Badge tone={one.permission === 'write' ? 'info' : 'plain'}>{may(one)}</Badge>,
    },
    {
      id: 'until',
      title: m.access.until,
      tight: true,
      cell: ({ expiresAt }) =>
        expiresAt === null ? (
          <span className="muted">{m.access.forever}</span>
        ) : (
          <time dateTime={expiresAt} title={formats.utc(expiresAt)}>
            {formats.moment(expiresAt)}
          </time>
        ),
    },
    {
      id: 'given',
      title: m.access.given,
      cell: ({ createdAt, createdByName }) => (
        <span className="muted">
          <time dateTime={createdAt} title={formats.utc(createdAt)}>
            {formats.day(createdAt)}
          </time>{' '}
          {createdByName !== null && m.access.by(visible(createdByName))}
        </span>
      ),
    },
  ]
  const menu: Column<Assignment> = {
    id: 'menu',
    title: m.common.actions,
    quiet: true,
    tight: true,
    cell: (one) => (
      <Menu
        label={`${m.common.actions}${m.common.colon}${one.username} ${one.host}`}
        actions={[
          { id: 'edit', text: m.common.edit, icon: 'edit', onAction: () => setEdited(one) },
          {
            id: 'drop',
            text: m.access.takeBack,
            icon: 'trash',
            danger: true,
            onAction: () => setDropped(one),
          },
        ]}
      />
    ),
  }
  const leave: Column<Assignment> = {
    ...menu,
    id: 'leave',
    cell: (one) =>
      one.userId === user?.id && (
        <Button look="plain" onPress={() => setLeft(one)}>
          {m.access.leave}
        </Button>
      ),
  }
  const all = [...columns, mayManage ? menu : leave]
  const idOf = ({ id }: Assignment) => id
  return (
    <>
      {counting.length > 0 && <Table label={label} rows={counting} columns={all} idOf={idOf} />}
      {ended.length > 0 && (
        <details>
          <summary>{m.access.ended(ended.length)}</summary>
          <Table label={m.access.ended(ended.length)} rows={ended} columns={all} idOf={idOf} />
        </details>
      )}
      {edited && (
        <AssignmentDialog
          domain={{ id: edited.domainId, name: edited.domainName }}
          assignment={edited}
          onClose={() => setEdited(null)}
        />
      )}
      {left && (
        <LeaveDialog
          assignment={left}
          isLast={!ofUser && counting.every(({ id }) => id === left.id)}
          onClose={() => setLeft(null)}
        />
      )}
      {dropped && (
        <Confirm
          title={m.access.takeBackTitle(dropped.username)}
          action={m.access.takeBack}
          onConfirm={async () => {
            await api.DELETE('/api/assignments/{id}', { path: { id: dropped.id } })
            changed('assignment')
            toast(m.access.takenBack)
          }}
          onClose={() => setDropped(null)}
        >
          <p>{m.access.takeBackText(dropped.username, dropped.host)}</p>
        </Confirm>
      )}
    </>
  )
}

/** Gives up one's own permission; after the last one the domain is no longer visible. */
function LeaveDialog({
  assignment: { id, host },
  isLast,
  onClose,
}: {
  assignment: Assignment
  isLast: boolean
  onClose: () => void
}) {
  const m = useMessages('access')
  const navigate = useNavigate()
  async function leave() {
    await api.DELETE('/api/assignments/{id}', { path: { id } })
    toast(m.access.left)
    if (isLast) await navigate({ to: '/domains' })
    changed('assignment')
  }
  return (
    <Confirm
      title={m.access.leaveTitle(visible(host))}
      action={m.access.leave}
      onConfirm={leave}
      onClose={onClose}
    >
      <p>{m.access.leaveText}</p>
    </Confirm>
  )
}
