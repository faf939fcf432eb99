import { Page } from '../../ui/Page.tsx'

export function Requests() {
  return <Page title="Requests">…</Page>
}
