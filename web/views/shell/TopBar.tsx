import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { streamState } from '../../api/live.ts'
import { notificationsQuery } from '../../api/queries/notifications.ts'
import { signOut } from '../../api/session.ts'
import { changeSettings, settings } from '../../api/settings.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { cx } from '../../ui/classes.ts'
import { LANGUAGES, useFormats, useLanguage, useMessages } from '../../ui/language.tsx'
import { Menu, type MenuAction } from '../../ui/Menu.tsx'
import { MoreMenu } from './Navigation.tsx'
import styles from './Shell.module.css'

/** Above all pages: search, what is new, and the account. */
export function TopBar({ user }: { user: Schemas['UserSummary'] }) {
  return (
    <header className={styles['bar']}>
      <MoreMenu role={user.role} />
      <Bell />
      <AccountMenu user={user} />
    </header>
  )
}

function Bell() {
  const m = useMessages()
  const { number } = useFormats()
  const state = useSyncExternalStore(streamState.subscribe, streamState.get)
  const { data } = useQuery(notificationsQuery)
  const unread = data?.unreadCount ?? 0
  return (
    <span className={styles['dot']} title={m.shell.stream[state]}>
      <span className={cx(styles['state'], state === 'live' && styles['live'])} />
      <span className="hidden">{m.shell.stream[state]}</span>
      {unread > 0 && <span className={styles['count']}>{number(unread)}</span>}
    </span>
  )
}

function AccountMenu({ user }: { user: Schemas['UserSummary'] }) {
  const m = useMessages()
  const language = useLanguage()
  const { theme, density } = useSyncExternalStore(settings.subscribe, settings.get)
  const looks: MenuAction[] = [
    ...LANGUAGES.filter(({ id }) => id !== language).map(({ id, name }) => ({
      id: `language-${id}`,
      text: name,
      onAction: () => changeSettings({ language: id }),
    })),
    ...(['system', 'light', 'dark'] as const)
      .filter((other) => other !== theme)
      .map((other) => ({
        id: `theme-${other}`,
        text: `${m.shell.theme}: ${m.shell.themes[other]}`,
        onAction: () => changeSettings({ theme: other }),
      })),
    ...(['comfortable', 'compact'] as const)
      .filter((other) => other !== density)
      .map((other) => ({
        id: `density-${other}`,
        text: `${m.shell.density}: ${m.shell.densities[other]}`,
        onAction: () => changeSettings({ density: other }),
      })),
  ]
  return (
    <Menu
      label={user.username}
      text
      icon="user"
      actions={[
        ...looks,
        { id: 'sign-out', text: m.shell.signOut, icon: 'door', onAction: () => void signOut() },
      ]}
    />
  )
}
