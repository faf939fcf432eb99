import { Page } from '../../ui/Page.tsx'

export function Domains() {
  return <Page title="Domains">…</Page>
}
