import { Link, type LinkProps } from '@tanstack/react-router'
import type { AuditEntry } from '../../api/queries/audit.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Badge } from '../../ui/feedback/Note.tsx'
import { Table } from '../../ui/page/Table.tsx'
import { Via } from '../../ui/Via.tsx'
import { visible } from '../../ui/visible.ts'
import { FieldDiff } from './FieldDiff.tsx'

/** Entries of a page, with links to users and targets. */
export function EntryTable({ entries }: { entries: readonly AuditEntry[] }) {
  const m = useMessages('audit')
  const { moment, utc } = useFormats()
  const words = m.audit
  return (
    <Table
      label={words.title}
      rows={entries}
      idOf={({ id }) => id}
      columns={[
        {
          id: 'at',
          title: words.when,
          tight: true,
          cell: ({ at }) => <span title={utc(at)}>{moment(at)}</span>,
        },
        { id: 'actor', title: words.actor, cell: (entry) => <Who {...entry} /> },
        {
          id: 'action',
          title: words.action,
          head: true,
          cell: (entry) => (
            <>
              <span title={entry.action}>{words.actions[entry.action] ?? entry.action}</span>
              <FieldDiff entry={entry} />
            </>
          ),
        },
        { id: 'target', title: words.target, cell: ({ target }) => <Subject target={target} /> },
        {
          id: 'ip',
          title: words.ip,
          tight: true,
          cell: ({ ip, requestId }) =>
            ip !== null && (
              <code {...(requestId !== null && { title: `${words.request} ${requestId}` })}>{ip}</code>
            ),
        },
      ]}
    />
  )
}

function Who({ actor: { id, name, kind }, origin, token }: AuditEntry) {
  const { audit: words } = useMessages('audit')
  // A deleted account has a name, but no kind.
  const text = visible(name) || words.system
  return (
    <>
      {id !== null && kind !== null ? (
        <Link to="/users/$id" params={{ id }}>
          {text}
        </Link>
      ) : (
        <span>{text}</span>
      )}
      {kind === 'machine' && (
        <>
          {' '}
          <Badge>{words.machine}</Badge>
        </>
      )}
      <div className="muted">
        <Via origin={origin} token={token} />
      </div>
    </>
  )
}

/** Page of a target of this type. */
function placeOf(type: string, id: string): LinkProps | null {
  if (type === 'domain') return { to: '/domains/$id/history', params: { id } }
  if (type === 'change_request') return { to: '/change-requests/$id', params: { id } }
  if (type === 'user') return { to: '/users/$id', params: { id } }
  if (type === 'provider_config') return { to: '/providers/$id', params: { id } }
  if (type === 'channel') return { to: '/channels/$id', params: { id } }
  if (type === 'template') return { to: '/templates/$id', params: { id } }
  if (type === 'oauth_provider') return { to: '/sign-in-providers' }
  if (type === 'invitation') return { to: '/users/invitations' }
  return null
}

function Subject({ target: { type, id, name } }: { target: AuditEntry['target'] }) {
  const { audit: words } = useMessages('audit')
  const place = id === null ? null : placeOf(type, id)
  const text = visible(name ?? id?.slice(0, 8) ?? '')
  return (
    <>
      <span className="muted">{words.targets[type] ?? type} </span>
      {place ? <Link {...place}>{text}</Link> : text}
    </>
  )
}
