import { useMessages } from '../../ui/language.tsx'
import { Empty } from '../../ui/feedback/Note.tsx'
import { LinkButton, Page } from '../../ui/page/Page.tsx'

/** Replaces a page that the user's role may not use. */
export function ForAdministrators() {
  const m = useMessages('shell')
  return (
    <Page title={m.shell.administration}>
      <Empty icon="lock" action={<LinkButton to="/">{m.common.home}</LinkButton>}>
        {m.shell.forAdministrators}
      </Empty>
    </Page>
  )
}
