import { Page } from '../../ui/Page.tsx'

export function SignInProviders() {
  return <Page title="SignInProviders">…</Page>
}
