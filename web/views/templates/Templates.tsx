import { Page } from '../../ui/Page.tsx'

export function Templates() {
  return <Page title="Templates">…</Page>
}
