import { Page } from '../../ui/Page.tsx'

export function History() {
  return <Page title="History">…</Page>
}
