import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { userQuery } from '../../api/queries/users.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { session } from '../../api/session/session.ts'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Badge, Note } from '../../ui/feedback/Note.tsx'
import { Bar, Card, LinkButton, Page } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { Tokens } from '../../ui/tokens/Tokens.tsx'
import { visible } from '../../ui/visible.ts'
import { EndAccount } from './EndAccount.tsx'
import { SignIn } from './SignIn.tsx'
import { UserForm } from './UserForm.tsx'

/** One account. */
export function User() {
  const m = useMessages('users')
  const { day } = useFormats()
  const words = m.users.user
  const { id } = useParams({ from: '/inside/users/$id' })
  const { data: user, error, refetch } = useQuery(userQuery(id))
  return (
    <Page
      title={user?.username ?? m.users.title}
      {...(user && {
        about: (
          <Bar>
            {user.displayName !== null && <span>{visible(user.displayName)}</span>}
            <Badge>{m.users.kinds[user.kind]}</Badge>
            <Badge tone={user.role === 'admin' ? 'info' : 'plain'}>{m.users.roles[user.role]}</Badge>
            {user.disabled && (
              <Badge tone="bad" icon="lock">
                {m.users.disabled}
              </Badge>
            )}
            <span>
              {words.since} {day(user.createdAt)}
            </span>
          </Bar>
        ),
        actions: <Links user={user} />,
      })}
    >
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!user && !error && <Loading />}
      {user && <Parts key={user.id} user={user} />}
    </Page>
  )
}

function Links({ user: { id } }: { user: Schemas['User'] }) {
  const { users: words } = useMessages('users')
  return (
    <Bar>
      <LinkButton to="/domains" search={{ ownerId: id }}>
        {words.user.domains}
      </LinkButton>
      <LinkButton to="/access" search={{ user: id }}>
        {words.user.access}
      </LinkButton>
      <LinkButton to="/audit" search={{ actor: id }}>
        {words.user.acted}
      </LinkButton>
      <LinkButton to="/audit" search={{ target: id }}>
        {words.user.audit}
      </LinkButton>
    </Bar>
  )
}

function Parts({ user }: { user: Schemas['User'] }) {
  const m = useMessages('tokens', 'users')
  const words = m.users.user
  const isYou = session.get().user?.id === user.id
  return (
    <>
      {isYou && (
        <Note tone="info" actions={<LinkButton to="/account">{words.toAccount}</LinkButton>}>
          {words.isYou}
        </Note>
      )}
      {user.disabled && <Note tone="warn">{words.disabledText}</Note>}
      <UserForm user={user} />
      {user.kind === 'machine' ? (
        <Card title={m.tokens.title}>
          <p>{m.tokens.aboutMachine}</p>
          <Tokens holder={{ machineId: user.id }} />
        </Card>
      ) : (
        <SignIn user={user} />
      )}
      {!isYou && <EndAccount user={user} />}
    </>
  )
}
