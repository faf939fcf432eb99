import { Page } from '../../ui/Page.tsx'

export function ResetPassword() {
  return <Page title="ResetPassword">…</Page>
}
