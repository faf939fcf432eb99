import { Page } from '../../ui/Page.tsx'

export function Search() {
  return <Page title="Search">…</Page>
}
