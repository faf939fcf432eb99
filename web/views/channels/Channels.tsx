import { Page } from '../../ui/Page.tsx'

export function Channels() {
  return <Page title="Channels">…</Page>
}
