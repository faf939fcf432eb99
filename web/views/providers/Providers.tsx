import { Page } from '../../ui/Page.tsx'

export function Providers() {
  return <Page title="Providers">…</Page>
}
