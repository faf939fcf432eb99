import { Page } from '../../ui/Page.tsx'

export function ConfirmEmail() {
  return <Page title="ConfirmEmail">…</Page>
}
