import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState, useSyncExternalStore } from 'react'
import { assignmentsQuery } from '../../api/queries/access.ts'
import { domainQuery, domainsQuery } from '../../api/queries/zones/domains.ts'
import { session } from '../../api/session/session.ts'
import { Button } from '../../ui/page/Button.tsx'
import { useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty } from '../../ui/feedback/Note.tsx'
import { Bar, LinkButton, useTitle } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { AssignmentDialog } from './AssignmentDialog.tsx'
import { Assignments } from './Assignments.tsx'
import { WhoMayChange } from './WhoMayChange.tsx'

/** Permissions on one domain. */
export function DomainAccess() {
  const m = useMessages('access', 'domain')
  const { id } = useParams({ from: '/inside/domains/$id/access' })
  const { user } = useSyncExternalStore(session.subscribe, session.get)
  const { data: domain } = useSuspenseQuery(domainQuery(id))
  const { data: assignments, error, refetch } = useQuery(assignmentsQuery({ domainId: id }))
  const { data: found } = useQuery(domainsQuery({ search: domain.name, limit: 50 }))
  const [isGiving, setGiving] = useState(false)
  useTitle(`${domain.unicodeName} · ${m.domain.access}`)
  const mayManage = domain.access === 'owner' || domain.access === 'admin'
  const owner =
    domain.ownerId === user?.id ? user.username : found?.domains.find((one) => one.id === id)?.owner.username

  const give = (
    <Button look="primary" icon="plus" onPress={() => setGiving(true)}>
      {m.access.give}
    </Button>
  )
  const ask = (
    <LinkButton to="/requests" search={{ domain: domain.name }} icon="inbox">
      {m.access.ask}
    </LinkButton>
  )
  return (
    <div className="stack">
      <Bar>
        <p>{mayManage ? m.access.intro : m.access.onlyOwn}</p>
        {mayManage ? give : ask}
      </Bar>
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!assignments && !error && <Loading />}
      {assignments?.length === 0 && <Empty icon="key">{mayManage ? m.access.none : m.access.noneOwn}</Empty>}
      {assignments && assignments.length > 0 && (
        <Assignments assignments={assignments} label={m.access.title} mayManage={mayManage} />
      )}
      {assignments && mayManage && (
        <WhoMayChange domain={domain.name} owner={owner} assignments={assignments} />
      )}
      {isGiving && <AssignmentDialog domain={domain} onClose={() => setGiving(false)} />}
    </div>
  )
}
