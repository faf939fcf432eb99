import { Page } from '../../ui/Page.tsx'

export function AddDomains() {
  return <Page title="AddDomains">…</Page>
}
