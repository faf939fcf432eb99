import { Page } from '../../ui/Page.tsx'

export function WhoMayWhat() {
  return <Page title="WhoMayWhat">…</Page>
}
