import { sql, type Selectable, type SqlBool } from 'kysely'
import { DOMAINS } from '../../db/tables/columns.ts'
import type { Executor } from '../../db/connection/connect.ts'
import type { DomainHealthTable, HealthFindingsTable } from '../../db/tables/index.ts'
import type { Principal } from '../../plugins/security/access/index.ts'
import { ownDomainsOf, recordsVisibleTo, visibleTo, type DomainRow } from '../domains/access/access.ts'
import type { HealthCode, Severity } from './catalogue.ts'

export type HealthRow = Pick<
  Selectable<DomainHealthTable>,
  'checked_at' | 'not_checked' | 'omitted' | 'behind'
>

export type FindingRow = Selectable<HealthFindingsTable> & { domain_name: string }

export interface FindingFilter {
  severity?: Severity
  code?: HealthCode
  domainId?: string
  page: number
  limit: number
}

const COLUMNS = [
  'records.domain_id',
  'records.key',
  'records.code',
  'records.severity',
  'records.name',
  'records.type',
  'records.detail',
  'records.params',
  'records.fix',
  'records.since',
] as const

const RANK = sql`array_position(array['error', 'warning', 'info'], records.severity)`

/** A finding is seen like a record of its name and type; the conditions of records name their table `records`. */
const visible = (db: Executor, principal: Principal, domainId?: string) =>
  db
    .selectFrom('health_findings as records')
    .innerJoin('domains', 'domains.id', 'records.domain_id')
    .where(visibleTo(principal))
    .where((eb) => eb.and(recordsVisibleTo(principal, domainId)))
    .$if(domainId !== undefined, (query) => query.where('records.domain_id', '=', domainId as string))

const matching = (db: Executor, principal: Principal, { severity, code, domainId }: Partial<FindingFilter>) =>
  visible(db, principal, domainId)
    .$if(severity !== undefined, (query) => query.where('records.severity', '=', severity as Severity))
    .$if(code !== undefined, (query) => query.where('records.code', '=', code as string))

export const listFindings = (
  db: Executor,
  principal: Principal,
  filter: FindingFilter,
): Promise<FindingRow[]> =>
  matching(db, principal, filter)
    .select(COLUMNS)
    .select('domains.name as domain_name')
    .orderBy(RANK)
    .orderBy('domains.name')
    .orderBy('records.code')
    .orderBy('records.name')
    .orderBy('records.key')
    .limit(filter.limit)
    .offset((filter.page - 1) * filter.limit)
    .execute()

/** Counts the visible findings by severity, regardless of the filter for it. */
export const countFindings = (db: Executor, principal: Principal, { code, domainId }: FindingFilter) =>
  matching(db, principal, { ...(code && { code }), ...(domainId !== undefined && { domainId }) })
    .select(['records.severity', sql<number>`count(*)::int`.as('count')])
    .groupBy('records.severity')
    .execute()

export const findHealth = (db: Executor, domainId: string): Promise<HealthRow | undefined> =>
  db
    .selectFrom('domain_health')
    .select(['checked_at', 'not_checked', 'omitted', 'behind'])
    .where('domain_id', '=', domainId)
    .executeTakeFirst()

export const findCheckedDomain = (db: Executor, id: string): Promise<DomainRow | undefined> =>
  db.selectFrom('domains').select(DOMAINS).where('id', '=', id).executeTakeFirst()

/**
 * Makes the caller's own domains due, or all for administrators: those after that id, at most `limit`. Returns how many were
 * not due before, and the last id; null if there are no more.
 */
export async function makeDue(
  db: Executor,
  principal: Principal,
  after: string | null,
  limit: number,
): Promise<{ domains: number; last: string | null }> {
  const filters = after === null ? [] : [sql<SqlBool>`domains.id > ${after}`]
  const rows = await db
    .with('own', (cte) =>
      cte.selectFrom(ownDomainsOf(principal, { filters })).select('domains.id').orderBy('id').limit(limit),
    )
    .with('made', (cte) =>
      cte
        .updateTable('domain_health')
        .set({ due_at: sql<Date>`now()` })
        .where('due_at', '>', sql<Date>`now()`)
        .where('domain_id', 'in', (eb) => eb.selectFrom('own').select('id'))
        .returning('domain_id'),
    )
    .selectFrom('own')
    .leftJoin('made', 'made.domain_id', 'own.id')
    .select(['own.id', 'made.domain_id'])
    .orderBy('own.id')
    .execute()
  const last = rows.length < limit ? null : (rows.at(-1)?.id ?? null)
  return { domains: rows.filter(({ domain_id }) => domain_id !== null).length, last }
}

/** All findings, by severity. */
export const countAll = (db: Executor) =>
  db
    .selectFrom('health_findings')
    .select(['severity', sql<number>`count(*)::int`.as('count')])
    .groupBy('severity')
    .execute()
