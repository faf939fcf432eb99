import { Page } from '../../ui/Page.tsx'

export function DomainSettings() {
  return <Page title="DomainSettings">…</Page>
}
