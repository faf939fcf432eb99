import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { Link, useNavigate } from '@tanstack/react-router'
import { streamState } from '../../api/live/live.ts'
import { notificationsQuery } from '../../api/queries/account.ts'
import { signOut } from '../../api/session/session.ts'
import { changeSettings, settings } from '../../api/settings.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { cx } from '../../ui/classes.ts'
import { LANGUAGES, useFormats, useLanguage, useMessages } from '../../ui/language.tsx'
import { Menu, type MenuAction } from '../../ui/page/Menu.tsx'
import { NotificationList } from '../../ui/notifications/NotificationList.tsx'
import { useOnline } from '../../ui/feedback/Offline.tsx'
import { PanelButton } from '../../ui/page/Panel.tsx'
import { buttonClass } from '../../ui/page/Button.tsx'
import { MoreMenu } from './Navigation.tsx'
import { PaletteButton } from './palette/PaletteButton.tsx'
import styles from './Shell.module.css'

/** Notifications shown in the panel. */
const SHOWN = 8

/** Top bar: search, notifications and account. */
export function TopBar({ user }: { user: Schemas['UserSummary'] }) {
  return (
    <header className={styles['bar']}>
      <span>
        <span className={styles['only-narrow']}>
          <MoreMenu role={user.role} />
        </span>
      </span>
      <PaletteButton role={user.role} />
      <Bell />
      <AccountMenu user={user} />
    </header>
  )
}

/** Unread notifications are counted here and in the window title; the panel shows the newest. */
function Bell() {
  const m = useMessages('notifications', 'shell')
  const { number } = useFormats()
  const told = useSyncExternalStore(streamState.subscribe, streamState.get)
  // A dropped stream is noticed with a delay.
  const state = useOnline() ? told : 'waiting'
  const { data } = useQuery(notificationsQuery)
  const unread = data?.unreadCount ?? 0
  return (
    <>
      <span
        className={cx(styles['state'], state === 'live' && styles['live'])}
        title={m.shell.stream[state]}
      />
      <span className="hidden" role="status">
        {m.shell.stream[state]}
      </span>
      <span className={styles['dot']}>
        <PanelButton
          label={
            unread > 0
              ? `${m.shell.notifications}${m.common.colon}${m.shell.unread(number(unread))}`
              : m.shell.notifications
          }
          icon="bell"
        >
          {(close) => (
            <div className={styles['panel']}>
              {data && data.notifications.length > 0 ? (
                <NotificationList notifications={data.notifications.slice(0, SHOWN)} />
              ) : (
                <p className="muted">{m.notifications.none}</p>
              )}
              <Link to="/notifications" onClick={close} className={buttonClass()}>
                {m.notifications.all}
              </Link>
            </div>
          )}
        </PanelButton>
        {unread > 0 && (
          <span className={styles['count']} aria-hidden="true">
            {number(Math.min(unread, 99))}
          </span>
        )}
      </span>
    </>
  )
}

function AccountMenu({ user }: { user: Schemas['UserSummary'] }) {
  const m = useMessages('shell')
  const navigate = useNavigate()
  const language = useLanguage()
  const { theme, density, appliesAtOnce } = useSyncExternalStore(settings.subscribe, settings.get)
  const isAtOnce = appliesAtOnce === user.id
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
        text: `${m.shell.theme}${m.common.colon}${m.shell.themes[other]}`,
        onAction: () => changeSettings({ theme: other }),
      })),
    ...(['comfortable', 'compact'] as const)
      .filter((other) => other !== density)
      .map((other) => ({
        id: `density-${other}`,
        text: `${m.shell.density}${m.common.colon}${m.shell.densities[other]}`,
        onAction: () => changeSettings({ density: other }),
      })),
    {
      id: 'single-edits',
      text: `${m.shell.singleEdits}${m.common.colon}${m.shell.singleEditsGo[isAtOnce ? 'review' : 'atOnce']}`,
      onAction: () => changeSettings({ appliesAtOnce: isAtOnce ? null : user.id }),
    },
  ]
  return (
    <Menu
      label={user.username}
      text
      icon="user"
      actions={[
        {
          id: 'account',
          text: m.shell.account,
          icon: 'settings',
          onAction: () => void navigate({ to: '/account' }),
        },
        ...looks,
        { id: 'sign-out', text: m.shell.signOut, icon: 'door', onAction: () => void signOut() },
      ]}
    />
  )
}
