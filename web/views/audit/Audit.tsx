import { Page } from '../../ui/Page.tsx'

export function Audit() {
  return <Page title="Audit">…</Page>
}
