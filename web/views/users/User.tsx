import { Page } from '../../ui/Page.tsx'

export function User() {
  return <Page title="User">…</Page>
}
