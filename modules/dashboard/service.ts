import type { Executor } from '../../db/connect.ts'
import type { Principal } from '../../plugins/access/index.ts'
import { countByStatus } from '../domains/service.ts'
import { failedChanges, failedSyncs, failingChannels, nextExpiries } from './queries.ts'
import type { Dashboard } from './schemas.ts'

/** Entries of each list. */
const SHOWN = 10
const DAY_MS = 24 * 3600 * 1000

/** What a client's first page shows of what the caller sees. */
export async function readDashboard(db: Executor, principal: Principal): Promise<Dashboard> {
  const [domains, expiries, ...failures] = await Promise.all([
    countByStatus(db, principal),
    nextExpiries(db, principal, SHOWN),
    failedSyncs(db, principal, SHOWN),
    failedChanges(db, principal, SHOWN),
    principal.role === 'admin' ? failingChannels(db, SHOWN) : [],
  ])
  const now = Date.now()
  return {
    domains,
    nextExpiries: expiries.map((row) => ({
      domainId: row.id,
      domainName: row.name,
      expiresAt: row.expires_at.toISOString(),
      daysLeft: Math.floor((row.expires_at.getTime() - now) / DAY_MS),
      status: row.expiring_at.getTime() <= now ? 'expiring' : 'active',
    })),
    lastFailures: failures
      .flat()
      .sort((a, b) => b.at.getTime() - a.at.getTime())
      .slice(0, SHOWN)
      .map((row) => ({ ...row, at: row.at.toISOString() })),
  }
}
