import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router'
import { waitingQuery } from '../../api/queries/waiting.ts'
import type { Schemas } from '../../api/schema.d.ts'
import { cx } from '../../ui/classes.ts'
import { Icon, type IconName } from '../../ui/page/Icon.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Logo } from '../../ui/page/Logo.tsx'
import { Menu } from '../../ui/page/Menu.tsx'
import type { TextsOf } from '../../messages/en.ts'
import styles from './Shell.module.css'

interface NavigationEntry {
  to: LinkProps['to']
  icon: IconName
  text: (m: TextsOf<'shell'>) => string
  /** Shows what waits for the user. */
  counts?: true
}

const MAIN: NavigationEntry[] = [
  { to: '/', icon: 'dashboard', text: (m) => m.shell.dashboard },
  { to: '/domains', icon: 'globe', text: (m) => m.shell.domains },
  { to: '/search', icon: 'search', text: (m) => m.shell.search },
  { to: '/change-requests', icon: 'review', text: (m) => m.shell.changeRequests, counts: true },
  { to: '/health-findings', icon: 'pulse', text: (m) => m.shell.health },
  { to: '/failover', icon: 'swap', text: (m) => m.shell.failover },
  { to: '/requests', icon: 'inbox', text: (m) => m.shell.requests },
  { to: '/providers', icon: 'server', text: (m) => m.shell.providers },
  { to: '/templates', icon: 'text', text: (m) => m.shell.templates },
]
const ADMINISTRATION: NavigationEntry[] = [
  { to: '/users', icon: 'users', text: (m) => m.shell.users },
  { to: '/access', icon: 'key', text: (m) => m.shell.access },
  { to: '/channels', icon: 'channel', text: (m) => m.shell.channels },
  { to: '/sign-in-providers', icon: 'door', text: (m) => m.shell.signInProviders },
  { to: '/audit', icon: 'audit', text: (m) => m.shell.audit },
]

/** All pages a role may use. */
export const entriesOf = (role: Schemas['Role']): NavigationEntry[] => [
  ...MAIN,
  ...(role === 'admin' ? ADMINISTRATION : []),
]

/** Navigation on wide screens, without pages the role may not use. */
export function Rail({ role }: { role: Schemas['Role'] }) {
  const m = useMessages('shell')
  return (
    <nav aria-label={m.shell.main} className={styles['rail']}>
      <Link to="/" className={styles['brand']}>
        <Logo />
        {m.common.product}
      </Link>
      {MAIN.map((entry) => (
        <Entry key={entry.icon} {...entry} />
      ))}
      {role === 'admin' && ADMINISTRATION.length > 0 && (
        <>
          <div className={styles['group']}>{m.shell.administration}</div>
          {ADMINISTRATION.map((entry) => (
            <Entry key={entry.icon} {...entry} />
          ))}
        </>
      )}
    </nav>
  )
}

function Entry({ to, icon, text, counts }: NavigationEntry) {
  const m = useMessages('shell')
  return (
    <Link
      {...(to !== undefined && { to })}
      className={styles['link']}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      activeProps={{ 'aria-current': 'page' }}
    >
      <Icon name={icon} />
      {text(m)}
      {counts && <Waiting />}
    </Link>
  )
}

/** Change requests that wait for the user. */
function Waiting() {
  const m = useMessages('shell')
  const { number } = useFormats()
  const { data: count = 0 } = useQuery(waitingQuery)
  if (count === 0) return null
  return (
    <span className={cx(styles['count'], styles['waiting'])}>
      {number(count)}
      <span className="hidden"> {m.shell.waiting}</span>
    </span>
  )
}

/** Navigation on narrow screens: four pages at the bottom, the others in a menu in the top bar. */
export function BottomBar() {
  const m = useMessages('shell')
  return (
    <nav aria-label={m.shell.main} className={styles['narrow']}>
      {MAIN.slice(0, 4).map((entry) => (
        <Entry key={entry.icon} {...entry} />
      ))}
    </nav>
  )
}

export function MoreMenu({ role }: { role: Schemas['Role'] }) {
  const m = useMessages('shell')
  const navigate = useNavigate()
  return (
    <Menu
      label={m.shell.menu}
      icon="menu"
      actions={entriesOf(role).map(({ to, icon, text }) => ({
        id: icon,
        icon,
        text: text(m),
        onAction: () => void navigate({ to: to ?? '/' }),
      }))}
    />
  )
}
