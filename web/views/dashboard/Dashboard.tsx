import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { dashboardQuery } from '../../api/queries/dashboard.ts'
import { findingsQuery } from '../../api/queries/zones/health.ts'
import { notificationsQuery } from '../../api/queries/account.ts'
import type { ConsoleApi } from '../../api/schema.d.ts'
import { readable, visible } from '../../ui/visible.ts'
import { Failure } from '../../ui/feedback/Failure.tsx'
import { useFormats, useMessages } from '../../ui/language.tsx'
import { Loading } from '../../ui/feedback/Loading.tsx'
import { Empty } from '../../ui/feedback/Note.tsx'
import { NotificationList } from '../../ui/notifications/NotificationList.tsx'
import { Card, LinkButton, Page } from '../../ui/page/Page.tsx'
import { ProblemNote } from '../../ui/feedback/ProblemNote.tsx'
import { Guide } from './Guide.tsx'
import { Timeline } from './Timeline.tsx'
import styles from './Dashboard.module.css'

const LATEST = 5

/** Overview of the domains; what needs attention comes first. */
export function Dashboard() {
  const m = useMessages('dashboard')
  const { data, error, refetch } = useQuery(dashboardQuery)
  return (
    <Page title={m.dashboard.title}>
      <Guide domains={data?.domains.total} />
      {error && <ProblemNote error={error} retry={() => void refetch()} />}
      {!data && !error && <Loading />}
      {data?.domains.total === 0 && (
        <Empty icon="globe" action={<LinkButton to="/providers">{m.dashboard.connect}</LinkButton>}>
          {m.dashboard.empty}
        </Empty>
      )}
      {data && data.domains.total > 0 && (
        <>
          <Counts
            label={m.dashboard.domains}
            counts={(['total', 'active', 'expiring', 'expired'] as const).map((status) => ({
              count: data.domains[status],
              text: m.dashboard.counts[status],
              link: { to: '/domains', search: status === 'total' ? {} : { status } },
            }))}
          />
          <Findings />
          <div className={styles['expiries']}>
            <div className="stack">
              <Timeline />
              <Failures failures={data.lastFailures} />
            </div>
            <NextExpiries domains={data.nextExpiries} />
          </div>
          <Latest />
        </>
      )}
    </Page>
  )
}

interface Count {
  count: number
  text: string
  link: LinkProps
}

/** Counts that link to what they count. */
function Counts({ label, counts }: { label: string; counts: readonly Count[] }) {
  const { number } = useFormats()
  return (
    <nav aria-label={label} className={styles['counts']}>
      {counts.map(({ count, text, link }) => (
        <Link key={text} {...link} className={styles['count']}>
          <strong>{number(count)}</strong>
          {text}
        </Link>
      ))}
    </nav>
  )
}

/** Findings of all domains by severity. */
function Findings() {
  const m = useMessages('dashboard')
  const { data } = useQuery(findingsQuery({ limit: 1 }))
  if (!data) return null
  return (
    <Counts
      label={m.dashboard.health}
      counts={(['error', 'warning', 'info'] as const).map((severity) => ({
        count: data.counts[severity],
        text: m.dashboard.findings[severity],
        link: { to: '/health-findings', search: { severity } },
      }))}
    />
  )
}

interface Expiry {
  domainId: string
  unicodeName: string
  expiresAt: string
  daysLeft: number
}

function NextExpiries({ domains }: { domains: readonly Expiry[] }) {
  const m = useMessages('dashboard')
  const { day, days } = useFormats()
  return (
    <Card title={m.dashboard.next}>
      {domains.length === 0 && <p className="muted">{m.dashboard.none}</p>}
      <ul className={styles['list']}>
        {domains.map(({ domainId, unicodeName, expiresAt, daysLeft }) => (
          <li key={domainId}>
            <Link to="/domains/$id/settings" params={{ id: domainId }}>
              {visible(unicodeName)}
            </Link>
            <span title={day(expiresAt)}>{days(daysLeft)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type Failed = ConsoleApi['/api/dashboard']['GET']['answer']['lastFailures'][number]

function Failures({ failures }: { failures: readonly Failed[] }) {
  const m = useMessages('dashboard')
  const { ago } = useFormats()
  return (
    <Card title={m.dashboard.failures}>
      {failures.length === 0 && <p className="muted">{m.dashboard.noFailures}</p>}
      <ul className={styles['list']}>
        {failures.map(({ kind, id, domainId, name, at, ...failure }) => (
          <li key={`${kind}-${id}`}>
            <div>
              {m.dashboard.failureKinds[kind]}
              {m.common.colon}
              <FailureLink {...{ kind, id, domainId, name }} />
              <div className="muted">
                <Failure {...failure} />
              </div>
            </div>
            <span className="muted">{ago(at)}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function FailureLink({ kind, id, domainId, name }: Pick<Failed, 'kind' | 'id' | 'domainId' | 'name'>) {
  if (kind === 'channel')
    return (
      <Link to="/channels/$id" params={{ id }}>
        {visible(name)}
      </Link>
    )
  if (domainId === null) return visible(readable(name))
  const params = { id: domainId }
  return kind === 'sync' ? (
    <Link to="/domains/$id/sync" params={params}>
      {visible(readable(name))}
    </Link>
  ) : (
    <Link to="/domains/$id/history" params={params} search={{ change: id }}>
      {visible(readable(name))}
    </Link>
  )
}

function Latest() {
  const m = useMessages('dashboard')
  const { data } = useQuery(notificationsQuery)
  if (!data || data.notifications.length === 0) return null
  return (
    <Card title={m.dashboard.latest}>
      <NotificationList notifications={data.notifications.slice(0, LATEST)} />
    </Card>
  )
}
