import { Page } from '../../ui/Page.tsx'

export function Callback() {
  return <Page title="Callback">…</Page>
}
