import { Page } from '../../ui/Page.tsx'

export function Notifications() {
  return <Page title="Notifications">…</Page>
}
