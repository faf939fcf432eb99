import { Page } from '../../ui/Page.tsx'

export function Template() {
  return <Page title="Template">…</Page>
}
