import { Page } from '../../ui/Page.tsx'

export function Invitations() {
  return <Page title="Invitations">…</Page>
}
