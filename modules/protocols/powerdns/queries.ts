import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Caller, Principal } from '../../../plugins/security/access/index.ts'
import {
  grantsOf,
  recordsInScope,
  recordsVisibleTo,
  visibleRecordVersion,
  visibleTo,
  type Grant,
  type RecordScope,
} from '../../domains/access/access.ts'
import type { DomainsTable } from '../../../db/tables/index.ts'

/** What the object of a zone is made of. */
export interface ZoneRow extends Pick<DomainsTable, 'id' | 'name' | 'owner_id' | 'soa' | 'default_ttl'> {
  grants: readonly Grant[]
  /** Of the records that the caller sees. */
  version: number
  /** Key of the DNS provider, and name of the provider connection. */
  provider: string
  connection: string
}

/** Returns at most `limit` domains that the caller sees, or those with that name or id. */
export const visibleZones = (
  db: Executor,
  principal: Principal,
  { name, id, limit }: { name?: string; id?: string; limit: number },
): Promise<ZoneRow[]> =>
  db
    .selectFrom('domains')
    .innerJoin('provider_configs', 'provider_configs.id', 'domains.provider_config_id')
    .select(['domains.id', 'domains.name', 'domains.owner_id', 'domains.soa', 'domains.default_ttl'])
    .select(grantsOf(principal).as('grants'))
    .select(sql<number>`${visibleRecordVersion(principal)}`.as('version'))
    .select(['provider_configs.provider', 'provider_configs.name as connection'])
    .where(visibleTo(principal))
    .$if(name !== undefined, (query) => query.where('domains.name', '=', name ?? ''))
    .$if(id !== undefined, (query) => query.where('domains.id', '=', id ?? ''))
    .orderBy('domains.name')
    // Namesakes that others share must not push a zone of the caller out of the answer.
    .orderBy(sql`(domains.owner_id = ${principal.userId}) desc`)
    .orderBy('domains.id')
    .limit(limit)
    .execute()

export interface ServedRow {
  name: string
  type: string
  value: string
  ttl: number | null
  enabled: boolean
  comment: string
  updated_at: Date
}

/** Records of a domain that the caller sees, RRset by RRset, without those answered by line or weight. */
export const servedRows = (
  db: Executor,
  domainId: string,
  scope: RecordScope,
  { name, type }: { name?: string | undefined; type?: string | undefined } = {},
): Promise<ServedRow[]> =>
  db
    .selectFrom('records')
    .select(['name', 'type', 'value', 'ttl', 'enabled', 'comment', 'updated_at'])
    .where('domain_id', '=', domainId)
    .where((eb) => eb.and(recordsInScope(scope)))
    .where('deleting', '=', false)
    .where('routing', 'is', null)
    .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
    .$if(type !== undefined, (query) => query.where('type', '=', (type ?? '') as never))
    .orderBy('name')
    .orderBy('type')
    .orderBy('id')
    .execute()

/** Provider connections with which the caller can register domains: their own, or all for administrators. */
export const usableConnections = (db: Executor, { role, userId }: Caller, limit: number) =>
  db
    .selectFrom('provider_configs')
    .select(['id', 'name', 'provider', 'owner_id'])
    .$if(role !== 'admin', (query) => query.where('owner_id', '=', userId))
    .orderBy('name')
    .limit(limit)
    .execute()

export interface FoundRow {
  domain_id: string
  zone: string
  usual_ttl: number
  name: string
  type: string
  value: string
  ttl: number | null
  enabled: boolean
  comment: string
  /** Whether its name or value matches, and its name or comment. */
  is_record: boolean
  is_comment: boolean
}

/** Visible domains whose name matches the pattern of `like`. */
export const matchingZones = (db: Executor, principal: Principal, pattern: string, limit: number) =>
  db
    .selectFrom('domains')
    .select(['id', 'name'])
    .where(visibleTo(principal))
    .where(sql<boolean>`domains.name ilike ${pattern}`)
    .orderBy('name')
    .limit(limit)
    .execute()

/** Visible records whose full name, value or comment matches the pattern. */
export async function matchingRecords(
  db: Executor,
  principal: Principal,
  pattern: string,
  { limit, records, comments }: { limit: number; records: boolean; comments: boolean },
): Promise<FoundRow[]> {
  const fullName = sql`case when records.name = '@' then domains.name else records.name || '.' || domains.name end`
  const isNamed = sql<boolean>`${fullName} ilike ${pattern}`
  const isRecord = sql<boolean>`(${isNamed} or records.value ilike ${pattern})`
  const isComment = sql<boolean>`(records.comment <> '' and (${isNamed} or records.comment ilike ${pattern}))`
  const wanted =
    records && comments ? sql<boolean>`(${isRecord} or ${isComment})` : records ? isRecord : isComment
  return db
    .selectFrom('records')
    .innerJoin('domains', 'domains.id', 'records.domain_id')
    .select(['domain_id', 'domains.name as zone', 'domains.default_ttl as usual_ttl', 'records.name', 'type'])
    .select(['value', 'ttl', 'enabled', 'comment', isRecord.as('is_record'), isComment.as('is_comment')])
    .where((eb) => eb.and(recordsVisibleTo(principal)))
    .where('deleting', '=', false)
    .where('routing', 'is', null)
    .where(wanted)
    .limit(limit)
    .execute()
}
