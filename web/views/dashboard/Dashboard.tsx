import { useMessages } from '../../ui/language.tsx'
import { Page } from '../../ui/Page.tsx'

export function Dashboard() {
  const m = useMessages()
  return (
    <Page title={m.shell.dashboard}>
      <p>…</p>
    </Page>
  )
}
