import type { Executor } from '../../db/connection/connect.ts'
import type { Caller, Principal } from '../../plugins/security/access/index.ts'
import type { DomainStatus } from '../../schemas/domain.ts'
import type { DomainContext } from './context.ts'
import { listDomains } from './list.ts'
import { countGroups, countTags } from './queries.ts'

/** Counts visible domains by status. */
export async function countByStatus(db: Executor, principal: Principal) {
  const count = async (status?: DomainStatus) => {
    const first = { page: 1, limit: 1, sort: 'name', order: 'asc' } as const
    return (await listDomains(db, principal, { ...first, ...(status && { status }) })).total
  }
  const [total, expiring, expired] = await Promise.all([count(), count('expiring'), count('expired')])
  // The three counts are exact, but of slightly different moments.
  return { total, active: Math.max(0, total - expiring - expired), expiring, expired }
}

export const listTags = async ({ db }: DomainContext, caller: Caller) => ({
  tags: await countTags(db, caller),
})

export const listGroups = async ({ db }: DomainContext, caller: Caller) => ({
  groups: await countGroups(db, caller),
})
