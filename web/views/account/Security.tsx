import { Page } from '../../ui/Page.tsx'

export function Security() {
  return <Page title="Security">…</Page>
}
