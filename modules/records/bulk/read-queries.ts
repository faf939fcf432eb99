import { sql } from 'kysely'
import { DOMAINS, RECORDS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf } from '../../../db/expressions.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'
import { grantsOf, visibleTo } from '../../domains/access/access.ts'
import type { RecordRow } from '../list/mapper.ts'
import type { PlannableDomain } from './planned.ts'

/** Returns those of the domains that the caller sees, with the caller's permissions on each. */
export const readDomains = (
  db: Executor,
  principal: Principal,
  ids: readonly string[],
): Promise<PlannableDomain[]> =>
  db
    .selectFrom('domains')
    .innerJoin('provider_configs', 'provider_configs.id', 'domains.provider_config_id')
    .select(DOMAINS)
    .select([grantsOf(principal).as('grants'), 'provider_configs.provider as provider_key'])
    .where('domains.id', '=', anyOf(ids))
    .where(visibleTo(principal))
    .execute()

/** All records of these names in these domains. */
export async function readRecordsOf(
  db: Executor,
  places: readonly { id: string; name: string }[],
): Promise<RecordRow[]> {
  if (places.length === 0) return []
  const place = sql<{ domain_id: string; name: string }>`unnest(
    ${places.map(({ id }) => id)}::uuid[], ${places.map(({ name }) => name)}::text[]
  )`.as<'place'>(sql`place (domain_id, name)`)
  return db
    .selectFrom(place)
    .innerJoin('records', (join) =>
      join.onRef('records.domain_id', '=', 'place.domain_id').onRef('records.name', '=', 'place.name'),
    )
    .select(RECORDS)
    .execute()
}
