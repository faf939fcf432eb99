import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { meQuery } from '../../api/queries/account.ts'
import { useMessages } from '../../ui/language.tsx'
import { Badge } from '../../ui/feedback/Note.tsx'
import { Bar, Page, TabLinks } from '../../ui/page/Page.tsx'
import { visible } from '../../ui/visible.ts'

/** Frame of the account pages. */
export function AccountFrame() {
  const m = useMessages('account')
  const words = m.account
  const { data: me } = useSuspenseQuery(meQuery)
  return (
    <Page
      title={words.title}
      about={
        <Bar>
          <span>{visible(me.displayName ?? me.username)}</span>
          <Badge>{words.roles[me.role]}</Badge>
        </Bar>
      }
    >
      <TabLinks
        label={words.tabs}
        tabs={[
          { text: words.profile.title, link: { to: '/account/profile' } },
          { text: words.security.title, link: { to: '/account/security' } },
          { text: words.sessions.title, link: { to: '/account/sessions' } },
          { text: words.identities.title, link: { to: '/account/identities' } },
          { text: words.tokens, link: { to: '/account/tokens' } },
        ]}
      />
      <Outlet />
    </Page>
  )
}
