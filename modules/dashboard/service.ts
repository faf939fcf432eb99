import type { Executor } from '../../db/connection/connect.ts'
import { isNarrowed, type Principal } from '../../plugins/security/access/index.ts'
import { narrowsRecords } from '../domains/access/access.ts'
import { countByStatus, DAY_MS, daysBetween } from '../domains/service.ts'
import {
  countExpiries,
  failedChanges,
  failedSyncs,
  failingChannels,
  mostUnmanaged,
  nextExpiries,
} from './queries.ts'
import { WEEKS, type Dashboard, type Expiries } from './schemas.ts'

/** Maximum entries per list. */
const SHOWN = 10

/** Counts visible domains that expire in each week of the next twelve months, by status. */
export async function readExpiries(db: Executor, principal: Principal): Promise<Expiries> {
  const first = mondayOf(new Date())
  const rows = await countExpiries(db, principal, { first, weeks: WEEKS })
  const weeks = Array.from({ length: WEEKS }, (_, week) => ({
    week: new Date(first.getTime() + week * 7 * DAY_MS).toISOString(),
    active: 0,
    expiring: 0,
    expired: 0,
    ...Object.fromEntries(
      rows.filter((row) => row.week === week).map(({ status, count }) => [status, count]),
    ),
  }))
  return {
    weeks,
    overdue: rows.find(({ week }) => week === -1)?.count ?? 0,
    leadDays: Math.max(0, ...rows.map((row) => row.lead_days)),
  }
}

/** Returns the start of the ISO 8601 week, in UTC. */
function mondayOf(moment: Date): Date {
  const sinceMonday = (moment.getUTCDay() + 6) % 7
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() - sinceMonday))
}

/** Reads the dashboard of the domains visible to the caller. */
export async function readDashboard(db: Executor, principal: Principal): Promise<Dashboard> {
  const [domains, expiries, unmanaged, ...failures] = await Promise.all([
    countByStatus(db, principal),
    nextExpiries(db, principal, SHOWN),
    mostUnmanaged(db, principal, SHOWN),
    failedSyncs(db, principal, SHOWN),
    // The error of a change may name any record.
    narrowsRecords(principal) ? [] : failedChanges(db, principal, SHOWN),
    principal.role === 'admin' && !isNarrowed(principal) ? failingChannels(db, SHOWN) : [],
  ])
  const now = new Date()
  return {
    domains,
    nextExpiries: expiries.map((row) => ({
      domainId: row.id,
      domainName: row.name,
      unicodeName: row.unicode_name,
      expiresAt: row.expires_at.toISOString(),
      daysLeft: daysBetween(now, row.expires_at),
      status: row.expiring_at.getTime() <= now.getTime() ? 'expiring' : 'active',
    })),
    unmanaged: {
      total: unmanaged[0]?.total ?? 0,
      domains: unmanaged.map(({ id, name, count }) => ({ domainId: id, domainName: name, count })),
    },
    lastFailures: failures
      .flat()
      .sort((a, b) => b.at.getTime() - a.at.getTime())
      .slice(0, SHOWN)
      .map((row) => ({ ...row, at: row.at.toISOString() })),
  }
}
