import { Page } from '../../ui/Page.tsx'

export function DomainAccess() {
  return <Page title="DomainAccess">…</Page>
}
