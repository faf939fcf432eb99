import { sql, type Selectable, type SqlBool } from 'kysely'
import { VERIFICATIONS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import { anyOf, inSeconds, secondsAgo } from '../../../db/expressions.ts'
import type { CheckedServer, VerificationsTable } from '../../../db/tables/index.ts'
import type { RRsetKey } from '../../../dns/names/rrset.ts'
import { LEASE_SECONDS } from '../../../plugins/work/leases.ts'
import { VERIFY_SECONDS } from './times.ts'

export type VerificationRow = Selectable<VerificationsTable>

/** Names and types of a change that are verified; a larger change is verified by the first ones. */
const MAX_RRSETS = 500

/** Domains with verifications that are due, longest due first. */
export async function findDueDomains(
  db: Executor,
  { except, limit }: { except: readonly string[]; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('verifications')
    .select('domain_id')
    .where('due_at', '<=', sql<Date>`now()`)
    .where(sql<boolean>`domain_id <> all(${except}::uuid[])`)
    .groupBy('domain_id')
    .orderBy((eb) => eb.fn.min('due_at'))
    .limit(limit)
    .execute()
  return rows.map(({ domain_id }) => domain_id)
}

/** A verification in a round; `is_over`: its time was over when it was claimed, by the clock of the database. */
export type DueVerification = VerificationRow & { is_over: boolean }

/** Claims the due verifications of a domain for LEASE_SECONDS. */
export const claimDue = (db: Executor, domainId: string): Promise<DueVerification[]> =>
  db
    .updateTable('verifications')
    .set({ due_at: inSeconds(LEASE_SECONDS) })
    .where('change_id', 'in', (eb) =>
      eb
        .selectFrom('verifications')
        .select('change_id')
        .where('domain_id', '=', domainId)
        .where('due_at', '<=', sql<Date>`now()`)
        .orderBy('due_at')
        .limit(100)
        .forUpdate()
        .skipLocked(),
    )
    .returning(VERIFICATIONS)
    .returning(sql<boolean>`ends_at <= now()`.as('is_over'))
    .execute()

export const renewVerifications = (db: Executor, changeIds: readonly string[]) =>
  db
    .updateTable('verifications')
    .set({ due_at: inSeconds(LEASE_SECONDS) })
    .where('change_id', '=', anyOf(changeIds))
    .where('due_at', 'is not', null)
    .execute()

/** Makes verifications due at once, because this instance is stopping. */
export const releaseVerifications = (db: Executor, changeIds: readonly string[]) =>
  db
    .updateTable('verifications')
    .set({ due_at: sql<Date>`now()` })
    .where('change_id', '=', anyOf(changeIds))
    .where('due_at', 'is not', null)
    .execute()

/** What the rounds of a domain need to know of it. */
export const findVerifiedDomain = (db: Executor, id: string) =>
  db
    .selectFrom('domains')
    .innerJoin('provider_configs', 'provider_configs.id', 'domains.provider_config_id')
    .select(['domains.id', 'domains.name', 'domains.verify', 'domains.record_version', 'domains.provider_id'])
    .select(['provider_configs.verify_servers', 'provider_configs.name_servers'])
    .where('domains.id', '=', id)
    .executeTakeFirst()

/** A name and type that a change applied, whether a newer change applied it again, and the change. */
interface TouchedRRset extends RRsetKey {
  change_id: string
  is_replaced: boolean
}

/** The RRsets that each change applied: what they are called now, and what they were called before. */
export async function touchedRRsets(
  db: Executor,
  domainId: string,
  changeIds: readonly string[],
): Promise<TouchedRRset[]> {
  const { rows } = await sql<TouchedRRset>`
    with touched as (
      select item.change_id, place.name, place.type, min(position) as position
      from change_items as item,
        lateral (values (item.before ->> 'name', item.before ->> 'type'),
          (item.after ->> 'name', item.after ->> 'type')) as place (name, type)
      where item.change_id = any(${changeIds}::uuid[]) and item.outcome = 'applied' and place.name is not null
      group by item.change_id, place.name, place.type
    ), numbered as (
      select *, row_number() over (partition by change_id order by position, name, type) as number from touched
    )
    select change_id, name, type, exists (
      select from changes as newer join change_items as item on item.change_id = newer.id
      where newer.domain_id = ${domainId} and newer.status in ('applied', 'partial')
        and newer.seq > (select seq from changes where id = numbered.change_id)
        and item.outcome = 'applied' and ((item.name = numbered.name and item.type = numbered.type)
          or (item.before ->> 'name' = numbered.name and item.before ->> 'type' = numbered.type))
    ) as is_replaced
    from numbered where number <= ${MAX_RRSETS} order by change_id, number
  `.execute(db)
  return rows
}

/** A stored record, as far as it decides what is expected. */
export type HeldRecord = Awaited<ReturnType<typeof recordsAt>>[number]

export const recordsAt = (db: Executor, domainId: string, names: readonly string[]) =>
  db
    .selectFrom('records')
    .select(['name', 'type', 'value', 'enabled', 'deleting', 'proxied', 'routing'])
    .where('domain_id', '=', domainId)
    .where('name', '=', anyOf(names))
    .execute()

export type UnmanagedPlace = Awaited<ReturnType<typeof unmanagedAt>>[number]

export const unmanagedAt = (db: Executor, domainId: string, names: readonly string[]) =>
  db
    .selectFrom('unmanaged_records')
    .select(['name', 'type'])
    .where('domain_id', '=', domainId)
    .where('name', '=', anyOf(names))
    .execute()

/** Whether a change of one of these names is pending, so that what is stored may not be final. */
export async function isAnyLocked(
  db: Executor,
  domainId: string,
  names: readonly string[],
): Promise<boolean> {
  const row = await db
    .selectFrom('name_locks')
    .select('name')
    .where('domain_id', '=', domainId)
    .where('name', '=', anyOf(names))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export interface RoundResult {
  status: VerificationRow['status']
  servers: CheckedServer[]
  reached: boolean
  /** Until the next round, if it is still `waiting`. */
  pauseSeconds: number
}

/** Stores a round; false if the verification has ended or was deleted meanwhile. */
export async function storeRound(
  trx: Executor,
  { change_id, rounds }: Pick<VerificationRow, 'change_id' | 'rounds'>,
  { status, servers, reached, pauseSeconds }: RoundResult,
): Promise<boolean> {
  const isEnded = status !== 'waiting'
  const { numUpdatedRows } = await trx
    .updateTable('verifications')
    .set({
      status,
      servers: JSON.stringify(servers),
      reached,
      rounds: rounds + 1,
      due_at: isEnded
        ? null
        : sql<Date>`least(${inSeconds(pauseSeconds)}, greatest(ends_at, ${inSeconds(1)}))`,
      ended_at: isEnded ? sql<Date>`now()` : null,
    })
    .where('change_id', '=', change_id)
    .where('rounds', '=', rounds)
    .where('status', '=', 'waiting')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Whether the last verification of the domain that ended before, within a day, failed as well. */
export async function hasFailedBefore(db: Executor, domainId: string, changeId: string): Promise<boolean> {
  const row = await db
    .selectFrom('verifications')
    .select('status')
    .where('domain_id', '=', domainId)
    .where('change_id', '<>', changeId)
    .where('status', 'in', ['verified', 'failed'])
    .where('ended_at', '>', secondsAgo(86_400))
    .orderBy('ended_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.status === 'failed'
}

/** The verification of a change; undefined if none was begun. */
export const findVerification = (db: Executor, changeId: string): Promise<VerificationRow | undefined> =>
  db.selectFrom('verifications').select(VERIFICATIONS).where('change_id', '=', changeId).executeTakeFirst()

/** Begins the verification of a change, or begins it again unless it is waiting. */
export const beginVerification = (db: Executor, changeId: string, domainId: string) =>
  db
    .insertInto('verifications')
    .values({
      change_id: changeId,
      domain_id: domainId,
      due_at: sql<Date>`now()`,
      ends_at: inSeconds(VERIFY_SECONDS),
    })
    .onConflict((conflict) =>
      conflict
        .column('change_id')
        .doUpdateSet({
          status: 'waiting',
          rounds: 0,
          reached: false,
          servers: '[]',
          due_at: sql<Date>`now()`,
          ends_at: inSeconds(VERIFY_SECONDS),
          ended_at: null,
        })
        .where(sql<SqlBool>`verifications.status <> 'waiting'`),
    )
    .execute()

/** Deletes verifications that ended that long ago. */
export const deleteLongEnded = (db: Executor, days: number) =>
  db
    .deleteFrom('verifications')
    .where('due_at', 'is', null)
    .where('ended_at', '<', sql<Date>`now() - make_interval(days => ${days})`)
    .execute()
