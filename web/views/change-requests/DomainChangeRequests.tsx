import { useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { domainQuery } from '../../api/queries/zones/domains.ts'
import { useMessages } from '../../ui/language.tsx'
import { LinkButton, useTitle } from '../../ui/page/Page.tsx'
import { RequestList } from './RequestList.tsx'

/** Change requests of one domain. */
export function DomainChangeRequests() {
  const m = useMessages('domain')
  const { id } = useParams({ from: '/inside/domains/$id/change-requests' })
  const search = useSearch({ from: '/inside/domains/$id/change-requests' })
  const navigate = useNavigate({ from: '/domains/$id/change-requests' })
  const { data: domain } = useSuspenseQuery(domainQuery(id))
  useTitle(`${domain.unicodeName} · ${m.domain.changeRequests}`)
  return (
    <div className="stack">
      <RequestList
        search={search}
        onSearch={(next) => void navigate({ search: next })}
        domainId={id}
        start={
          <LinkButton to="/domains/$id/records" params={{ id }}>
            {m.domain.records}
          </LinkButton>
        }
      />
    </div>
  )
}
