import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { changed } from '../../api/live/live.ts'
import { invitationsQuery } from '../../api/queries/users.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { Button } from '../../ui/page/Button.tsx'
import { Confirm } from '../../ui/dialogs/Dialog.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty, Note } from '../../ui/feedback/Note.tsx'
import { Bar, LinkButton, Page, Pager } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { toast } from '../../ui/feedback/Toast.tsx'
import { useSite } from '../../ui/hooks/useSite.ts'
import { InvitationTable } from './InvitationTable.tsx'
import { Invite } from './Invite.tsx'

type Invitation = Schemas['Invitation']

const LIMIT = 50

/** Invitations, with which people create their accounts. */
export function Invitations() {
  const m = useMessages('users')
  const words = m.users.invite
  const { page = 1 } = useSearch({ from: '/inside/users/invitations' })
  const navigate = useNavigate({ from: '/users/invitations' })
  const { data: list, error, refetch } = useQuery(invitationsQuery(page, LIMIT))
  const site = useSite()
  const [isInviting, setInviting] = useState(false)
  const [revoked, setRevoked] = useState<Invitation | null>(null)
  const createButton = (
    <Button look="primary" icon="plus" onPress={() => setInviting(true)}>
      {words.create}
    </Button>
  )
  return (
    <Page
      title={words.title}
      about={words.about}
      actions={
        <Bar>
          <LinkButton to="/users">{m.users.title}</LinkButton>
          {createButton}
        </Bar>
      }
    >
      {site?.registration === 'closed' && <Note tone="warn">{words.closed}</Note>}
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!list && !error && <Loading />}
      {list?.total === 0 && (
        <Empty icon="users" action={createButton}>
          {words.none}
        </Empty>
      )}
      {list && list.total > 0 && (
        <>
          <InvitationTable invitations={list.invitations} onRevoke={setRevoked} />
          <Pager
            page={list.page}
            limit={list.limit}
            total={list.total}
            onPage={(next) => void navigate({ search: { page: next > 1 ? next : undefined } })}
          />
        </>
      )}
      {isInviting && <Invite onClose={() => setInviting(false)} />}
      {revoked && (
        <Confirm
          title={words.revokeTitle}
          action={words.revoke}
          onConfirm={() => api.DELETE('/api/invitations/{id}', { path: { id: revoked.id } })}
          onClose={(isDone) => {
            setRevoked(null)
            if (!isDone) return
            changed('invitation')
            toast(words.revoked)
          }}
        >
          <p>{words.revokeText}</p>
        </Confirm>
      )}
    </Page>
  )
}
