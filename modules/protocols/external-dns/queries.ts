import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf } from '../../../db/expressions.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
import { grantsOf, recordsVisibleTo, visibleTo, type Grant } from '../../domains/access/access.ts'

export interface VisibleDomain {
  id: string
  name: string
  owner_id: string
  grants: readonly Grant[]
  /** Key of its DNS provider. */
  provider: string
}

/** Returns at most `limit` domains the caller sees. */
export const visibleDomains = (db: Executor, principal: Principal, limit: number): Promise<VisibleDomain[]> =>
  db
    .selectFrom('domains')
    .innerJoin('provider_configs', 'provider_configs.id', 'domains.provider_config_id')
    .select(['domains.id', 'domains.name', 'domains.owner_id', 'provider_configs.provider'])
    .select(grantsOf(principal).as('grants'))
    .where(visibleTo(principal))
    .orderBy('domains.name')
    .limit(limit)
    .execute()

export interface ServedRecord {
  domain_id: string
  name: string
  type: RecordType
  value: string
  ttl: number | null
  proxied: boolean
}

/** Returns at most `limit` active records that the caller sees in the domains, ordered by RRset. */
export const servedRecords = (
  db: Executor,
  principal: Principal,
  domainIds: string[],
  limit: number,
): Promise<ServedRecord[]> =>
  db
    .selectFrom('records')
    .innerJoin('domains', 'domains.id', 'records.domain_id')
    .select(['domain_id', 'records.name', 'type', 'value', 'ttl', 'proxied'])
    .where((eb) => eb.and(recordsVisibleTo(principal)))
    .where('domain_id', '=', anyOf(domainIds))
    .where('enabled', '=', true)
    .where('deleting', '=', false)
    .where('routing', 'is', null)
    .orderBy('domain_id')
    .orderBy('records.name')
    .orderBy('type')
    .orderBy('value')
    .limit(limit)
    .execute()
