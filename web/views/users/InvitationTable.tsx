import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Badge } from '../../ui/feedback/Note.tsx'
import { Bar } from '../../ui/page/Page.tsx'
import { Table } from '../../ui/page/Table.tsx'
import { visible } from '../../ui/visible.ts'

type Invitation = Schemas['Invitation']

const TONES = { active: 'good', used: 'plain', expired: 'plain', revoked: 'warn' } as const

interface InvitationTableProps {
  invitations: readonly Invitation[]
  onRevoke: (invitation: Invitation) => void
}

/** Invitations and their status. */
export function InvitationTable({ invitations, onRevoke }: InvitationTableProps) {
  const m = useMessages('users')
  const { number, day, utc } = useFormats()
  const words = m.users.invite
  const titles = words.columns
  return (
    <Table
      label={words.title}
      rows={invitations}
      idOf={({ id }) => id}
      columns={[
        {
          id: 'code',
          title: titles.code,
          head: true,
          cell: ({ codePrefix, status }) => (
            <Bar>
              <code>{codePrefix}…</code>
              <Badge tone={TONES[status]}>{words.status[status]}</Badge>
            </Bar>
          ),
        },
        { id: 'role', title: titles.role, tight: true, cell: ({ role }) => m.users.roles[role] },
        {
          id: 'for',
          title: titles.for,
          cell: ({ email }) =>
            email === null ? <span className="muted">{words.anybody}</span> : visible(email),
        },
        {
          id: 'uses',
          title: titles.uses,
          tight: true,
          cell: ({ uses, maxUses }) => words.uses(number(uses), number(maxUses)),
        },
        {
          id: 'ends',
          title: titles.ends,
          tight: true,
          cell: ({ expiresAt }) =>
            expiresAt === null ? (
              <span className="muted">{words.noEnd}</span>
            ) : (
              <span title={utc(expiresAt)}>{day(expiresAt)}</span>
            ),
        },
        {
          id: 'by',
          title: titles.by,
          cell: ({ createdBy: { id, username } }) =>
            id === null || username === null ? (
              ''
            ) : (
              <Link to="/users/$id" params={{ id }}>
                {username}
              </Link>
            ),
        },
        {
          id: 'actions',
          title: m.common.actions,
          quiet: true,
          tight: true,
          cell: (invitation) =>
            invitation.status === 'active' && (
              <Button
                look="plain"
                icon="trash"
                aria-label={`${words.revoke}${m.common.colon}${invitation.codePrefix}…`}
                onPress={() => onRevoke(invitation)}
              >
                {words.revoke}
              </Button>
            ),
        },
      ]}
    />
  )
}
