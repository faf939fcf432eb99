import { Page } from '../../ui/Page.tsx'

export function Channel() {
  return <Page title="Channel">…</Page>
}
