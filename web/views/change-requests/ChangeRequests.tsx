import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMessages } from '../../ui/language.tsx'
import { LinkButton, Page } from '../../ui/page/Page.tsx'
import { RequestList } from './RequestList.tsx'

/** Change requests of all domains. */
export function ChangeRequests() {
  const m = useMessages('changeRequests', 'shell')
  const words = m.changeRequests
  const search = useSearch({ from: '/inside/change-requests' })
  const navigate = useNavigate({ from: '/change-requests' })
  return (
    <Page wide title={words.title} about={words.about}>
      <RequestList
        search={search}
        onSearch={(next) => void navigate({ search: next })}
        start={<LinkButton to="/domains">{m.shell.domains}</LinkButton>}
      />
    </Page>
  )
}
