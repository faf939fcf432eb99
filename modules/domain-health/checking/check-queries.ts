import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf, inSeconds } from '../../../db/expressions.ts'
import type { DueTime } from '../../../plugins/work/due-times-queries.ts'
import { LEASE_SECONDS } from '../../../plugins/work/leases.ts'
import type { StoredRecord } from '../stored/zone.ts'
import type { TypesByName } from '../stored/targets.ts'

/** A domain whose check is due. */
export interface DueDomain {
  domain_id: string
}

/** A new domain is imported first; many old ones, after an upgrade, are spread over six hours. */
const FIRST_DUE = sql<Date>`now() + case when created_at > now() - interval '1 day'
  then interval '10 minutes' else random() * interval '6 hours' end`

/** Adds the domains that are not checked yet. */
export const enrolDomains = (db: Executor) =>
  db
    .insertInto('domain_health')
    .columns(['domain_id', 'due_at'])
    .expression((eb) =>
      eb
        .selectFrom('domains')
        .leftJoin('domain_health as enrolled', 'enrolled.domain_id', 'domains.id')
        .select(['domains.id', FIRST_DUE.as('due_at')])
        .where('enrolled.domain_id', 'is', null),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/** Claims due domains for LEASE_SECONDS. */
export const claimDue = (db: Executor, limit: number): Promise<DueDomain[]> =>
  db
    .updateTable('domain_health')
    .set({ due_at: inSeconds(LEASE_SECONDS) })
    .where('domain_id', 'in', (eb) =>
      eb
        .selectFrom('domain_health')
        .select('domain_id')
        .where('due_at', '<=', sql<Date>`now()`)
        .orderBy('due_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning('domain_id')
    .execute()

export const renewClaims = (db: Executor, rows: readonly DueDomain[]) =>
  db
    .updateTable('domain_health')
    .set({ due_at: inSeconds(LEASE_SECONDS) })
    .where('domain_id', '=', anyOf(rows.map(({ domain_id }) => domain_id)))
    .execute()

/** Makes a domain due then. */
export const putOff = (db: Executor, domainId: string, seconds: number) =>
  db
    .updateTable('domain_health')
    .set({ due_at: inSeconds(seconds) })
    .where('domain_id', '=', domainId)
    .execute()

/** `longestSeconds`: until the next check. */
export const checksDue = (longestSeconds: number): DueTime => ({
  table: 'domain_health',
  column: 'due_at',
  longest: longestSeconds,
})

const CHECKED = ['id', 'version', 'name', 'type', 'value', 'ttl', 'proxied', 'routing'] as const

const published = (db: Executor, domainId: string) =>
  db
    .selectFrom('records')
    .select(CHECKED)
    .where('domain_id', '=', domainId)
    .where('enabled', '=', true)
    .where('deleting', '=', false)

/** Published records in the order of their names, after the given one, at most `limit`. */
export const publishedAfter = (
  db: Executor,
  domainId: string,
  after: Pick<StoredRecord, 'name' | 'id'> | null,
  limit: number,
): Promise<StoredRecord[]> =>
  published(db, domainId)
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(name, id) > (${after?.name}, ${after?.id}::uuid)`),
    )
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute()

export const publishedAt = (
  db: Executor,
  domainId: string,
  names: readonly string[],
  limit: number,
): Promise<StoredRecord[]> =>
  published(db, domainId)
    .where('name', '=', anyOf(names))
    .orderBy('name')
    .orderBy('id')
    .limit(limit)
    .execute()

/** The types of the records at these names, also of types that the service only shows. */
export async function typesAtNames(
  db: Executor,
  domainId: string,
  names: readonly string[],
): Promise<TypesByName> {
  const { rows } = await sql<{ name: string; types: string[] }>`
    select name, array_agg(distinct type) as types from (
      select name, type from records
      where domain_id = ${domainId} and enabled and not deleting and name = any(${names}::text[])
      union all
      select name, type from unmanaged_records where domain_id = ${domainId} and name = any(${names}::text[])
    ) as found group by name
  `.execute(db)
  return new Map(rows.map(({ name, types }) => [name, new Set(types)]))
}
