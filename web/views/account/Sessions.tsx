import { Page } from '../../ui/Page.tsx'

export function Sessions() {
  return <Page title="Sessions">…</Page>
}
