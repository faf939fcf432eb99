import { Page } from '../../ui/Page.tsx'

export function Sync() {
  return <Page title="Sync">…</Page>
}
