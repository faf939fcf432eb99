import { Page } from '../../ui/Page.tsx'

export function Tokens() {
  return <Page title="Tokens">…</Page>
}
