import { useMessages } from '../../../ui/language.tsx'
import { Empty } from '../../../ui/feedback/Note.tsx'
import { LinkButton, Page } from '../../../ui/page/Page.tsx'

/** An unknown address, or a page the user may not see. */
export function NotFound() {
  const m = useMessages()
  return (
    <Page title={m.common.notHereTitle}>
      <Empty icon="search" action={<LinkButton to="/">{m.common.home}</LinkButton>}>
        {m.common.notHere}
      </Empty>
    </Page>
  )
}
