import { Page } from '../../ui/Page.tsx'

export function Identities() {
  return <Page title="Identities">…</Page>
}
