import { Page } from '../../ui/Page.tsx'

export function ProviderConfig() {
  return <Page title="ProviderConfig">…</Page>
}
