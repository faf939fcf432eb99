import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { assignmentsQuery } from '../../api/queries/access.ts'
import { userQuery } from '../../api/queries/users.ts'
import { session } from '../../api/session/session.ts'
import { Button } from '../../ui/page/Button.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty } from '../../ui/feedback/Note.tsx'
import { Card, Facts, Page } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { UserField } from '../../ui/form-parts/UserField.tsx'
import { visible } from '../../ui/visible.ts'
import { Assignments } from './Assignments.tsx'
import { Owned } from './Owned.tsx'
import { Tester, type Person } from './Tester.tsx'

/** Domains and permissions of a user, with reasons. */
export function WhoMayWhat() {
  const m = useMessages('access')
  const words = m.access.may
  const { user: wanted } = useSearch({ from: '/inside/access' })
  const navigate = useNavigate({ from: '/access' })
  const { user: me } = useSyncExternalStore(session.subscribe, session.get)
  const isAdmin = me?.role === 'admin'
  const id = wanted ?? me?.id ?? ''
  const isMe = id === me?.id
  const { data: other, error } = useQuery({ ...userQuery(id), enabled: isAdmin && !isMe })
  const person: Person | null = isMe ? me : (other ?? null)
  const choose = (user: string | undefined) =>
    void navigate({ search: user === me?.id ? {} : { user }, replace: true })
  return (
    <Page title={words.title} about={words.about}>
      {isAdmin && <Chooser key={id} person={person} onChoose={choose} />}
      {!isMe && !isAdmin && <Empty icon="user">{words.noUser}</Empty>}
      {error && (
        <ProblemNote error={error} actions={<Button onPress={() => choose(undefined)}>{words.me}</Button>} />
      )}
      {isAdmin && !person && !error && <Loading />}
      {person && <Rights key={person.id} person={person} isMe={isMe} isAdmin={isAdmin} />}
    </Page>
  )
}

function Chooser({ person, onChoose }: { person: Person | null; onChoose: (id: string) => void }) {
  const m = useMessages('access')
  const [typed, setTyped] = useState(person?.username ?? '')
  useEffect(() => setTyped(person?.username ?? ''), [person?.username])
  return <UserField label={m.access.may.person} value={typed} onChange={setTyped} onChoose={onChoose} />
}

interface RightsProps {
  person: Person
  isMe: boolean
  /** The viewer is an administrator. */
  isAdmin: boolean
}

function Rights({ person, isMe, isAdmin }: RightsProps) {
  const m = useMessages('access')
  const words = m.access.may
  const { data: assignments, error, refetch } = useQuery(assignmentsQuery({ userId: person.id }))
  return (
    <>
      <Card title={visible(person.username)}>
        <Facts
          facts={[
            [words.role, words.roles[person.role]],
            [words.owns, <Owned key="owned" userId={person.id} />],
          ]}
        />
        {person.role === 'admin' && <p>{words.adminAll}</p>}
      </Card>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!assignments && !error && <Loading />}
      {assignments && (
        <>
          <Card title={words.assignments}>
            {assignments.length === 0 ? (
              <p>{words.none}</p>
            ) : (
              <Assignments assignments={assignments} label={words.assignments} mayManage={isAdmin} ofUser />
            )}
          </Card>
          <Tester person={person} isMe={isMe} assignments={assignments} />
        </>
      )}
    </>
  )
}
