import { sql, type Transaction } from 'kysely'
import { anyOf, inSeconds } from '../../../../db/expressions.ts'
import { RECORDS } from '../../../../db/tables/columns.ts'
import type { Database, RecordContent } from '../../../../db/tables/index.ts'
import type { RecordRow } from '../../list/mapper.ts'
import { VERIFY_SECONDS } from '../../verification/times.ts'
import type { Step } from '../../plan/change.ts'
import type { ItemOutcome } from './journal-queries.ts'

type Trx = Transaction<Database>

/** An item whose outcome was stored just now. */
export interface StoredOutcome {
  position: number
  action: Step['action']
  record_id: string
  outcome: ItemOutcome['outcome']
  /** Of an applied item. */
  provider_id: string | null
  /** It is uncertain what the provider holds of the record. */
  unconfirmed: boolean
}

/**
 * Locks the domain, raises the version of its records, and stores the outcomes of items that are still
 * pending. Returns these; if two processes settle a change, the second gets none. The commit doesn't wait for
 * the disk: outcomes lost in a power failure are reconciled from the journal, which is durable.
 */
export function storeItemOutcomes(
  trx: Trx,
  { id, domainId }: { id: string; domainId: string },
  outcomes: readonly ItemOutcome[],
): Promise<StoredOutcome[]> {
  // Arrays, because PostgreSQL knows their length when it plans; for JSON it guesses 100 rows.
  const column = <T>(value: (result: ItemOutcome) => T) => outcomes.map(value)
  const result = sql<
    Omit<StoredOutcome, 'action' | 'record_id'> & { error: string | null; code: string | null }
  >`unnest(
    ${column(({ position }) => position)}::int[],
    ${column(({ outcome }) => outcome)}::text[],
    ${column((result) => (result.outcome === 'failed' ? result.error : null))}::text[],
    ${column((result) => (result.outcome === 'failed' ? result.code : null))}::text[],
    ${column((result) => (result.outcome === 'applied' ? result.providerId : null))}::text[],
    ${column((result) => result.outcome !== 'pending' && result.unconfirmed === true)}::boolean[]
  )`
  return trx
    .with('domain', (db) =>
      db
        .updateTable('domains')
        .set((eb) => ({ record_version: eb('record_version', '+', 1) }))
        .where('id', '=', domainId)
        .returning(sql`set_config('synchronous_commit', 'off', true)`.as('commit')),
    )
    .updateTable('change_items as item')
    .from([
      'domain',
      result.as<'result'>(sql`result (position, outcome, error, code, provider_id, unconfirmed)`),
    ])
    .set((eb) => ({
      outcome: eb.ref('result.outcome'),
      error: eb.ref('result.error'),
      error_code: eb.ref('result.code'),
    }))
    .where('item.change_id', '=', id)
    .whereRef('item.position', '=', 'result.position')
    .where('item.outcome', '=', 'pending')
    .returning(['item.position', 'item.action', 'item.record_id', 'item.outcome'])
    .returning(['result.provider_id', 'result.unconfirmed'])
    .execute()
}

export async function deleteRecords(
  trx: Trx,
  domainId: string,
  items: readonly StoredOutcome[],
): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('records')
    .where('id', '=', anyOf(idsOf(items)))
    .executeTakeFirstOrThrow()
  await trx
    .updateTable('domains')
    .set((eb) => ({ record_count: eb('record_count', '-', Number(numDeletedRows)) }))
    .where('id', '=', domainId)
    .execute()
}

/** Moves records out of each other's way, because constraints check row by row. */
export const leavePlaces = (trx: Trx, items: readonly StoredOutcome[]) =>
  trx
    .updateTable('records')
    .set({ deleting: true })
    .where('id', '=', anyOf(idsOf(items)))
    .execute()

/** The record after an item. Changes of older versions lack some fields. */
const content = sql<RecordContent>`jsonb_to_record(item.after)`.as<'content'>(
  sql`content (name text, type text, value text, ttl int, priority int, proxied boolean, enabled boolean,
    comment text, routing jsonb, extra jsonb)`,
)

/** Sets records to their applied content. */
export function storeContents(
  trx: Trx,
  changeId: string,
  applied: readonly StoredOutcome[],
): Promise<RecordRow[]> {
  const result = sql<Pick<StoredOutcome, 'position' | 'provider_id' | 'unconfirmed'>>`unnest(
    ${applied.map(({ position }) => position)}::int[],
    ${applied.map(({ provider_id }) => provider_id)}::text[],
    ${applied.map(({ unconfirmed }) => unconfirmed)}::boolean[]
  )`
  return trx
    .updateTable('records')
    .from([
      result.as<'result'>(sql`result (position, provider_id, unconfirmed)`),
      'change_items as item',
      content,
    ])
    .set((eb) => ({
      name: eb.ref('content.name'),
      type: eb.ref('content.type'),
      value: eb.ref('content.value'),
      ttl: eb.ref('content.ttl'),
      priority: eb.ref('content.priority'),
      proxied: eb.ref('content.proxied'),
      enabled: sql<boolean>`coalesce(content.enabled, true)`,
      comment: sql<string>`coalesce(content.comment, '')`,
      routing: sql`content.routing`,
      extra: sql`content.extra`,
      provider_record_id: eb.ref('result.provider_id'),
      status: sql<RecordRow['status']>`case when result.unconfirmed then 'failed' else 'active' end`,
      deleting: false,
      version: sql<number>`records.version + (item.action = 'update')::int`,
      updated_at: sql<Date>`now()`,
    }))
    .where('item.change_id', '=', changeId)
    .whereRef('item.position', '=', 'result.position')
    .whereRef('records.id', '=', 'item.record_id')
    .returning(RECORDS)
    .execute()
}

/**
 * Restores records of failed items to their previous state. They stay `unconfirmed` if the provider's content
 * is uncertain.
 */
export const releaseRecords = (trx: Trx, failed: readonly StoredOutcome[]): Promise<RecordRow[]> =>
  trx
    .updateTable('records')
    .set((eb) => ({
      status: eb
        .case()
        .when('id', '=', anyOf(idsOf(failed.filter(({ unconfirmed }) => unconfirmed))))
        .then(sql.lit('failed' as const))
        .when('status', '=', 'failed')
        .then(sql.lit('failed' as const))
        .else(sql.lit('active' as const))
        .end(),
      deleting: false,
    }))
    .where('id', '=', anyOf(idsOf(failed)))
    .returning(RECORDS)
    .execute()

const idsOf = (items: readonly StoredOutcome[]) => items.map(({ record_id }) => record_id)

/**
 * Closes the change and unlocks its names if none of its items is pending; otherwise the provider is asked in
 * `firstReconcileSeconds`. `lateReconcileSeconds`: when to ask once more about failed items; null: their
 * failure is certain.
 */
export const closeChange = (
  trx: Trx,
  changeId: string,
  {
    firstReconcileSeconds,
    lateReconcileSeconds,
  }: { firstReconcileSeconds: number; lateReconcileSeconds: number | null },
) =>
  trx
    .with('tally', (db) =>
      db
        .selectFrom('change_items')
        .select((eb) =>
          (['pending', 'applied', 'failed'] as const).map((outcome) =>
            eb.fn.countAll<number>().filterWhere('outcome', '=', outcome).as(outcome),
          ),
        )
        .where('change_id', '=', changeId),
    )
    .with('closed', (db) =>
      db
        .updateTable('changes')
        .from('tally')
        .set({
          status: sql<'pending'>`case when pending > 0 then 'pending' when failed = 0 then 'applied'
            when applied = 0 then 'failed' else 'partial' end`,
          settled_at: sql<Date>`case when pending = 0 then now() end`,
          settled_seq: sql<string>`case when pending = 0 then nextval('change_order') end`,
          unknown_since: sql<Date>`case when pending > 0 then coalesce(unknown_since, now()) end`,
          look_again: sql<boolean>`pending = 0 and failed > 0 and ${lateReconcileSeconds !== null}`,
          lease_until: sql<Date>`now() + make_interval(secs =>
            case when pending > 0 then ${firstReconcileSeconds}::float8 else ${lateReconcileSeconds ?? 0}::float8 end)`,
        })
        .where('id', '=', changeId)
        .where('status', '=', 'pending')
        .returning(['id', 'domain_id', 'status', 'settled_seq']),
    )
    // In this statement, so that verifications and mirrors cost the change no round trip.
    .with('verified', (db) =>
      db
        .insertInto('verifications')
        .columns(['change_id', 'domain_id', 'due_at', 'ends_at'])
        .expression((eb) =>
          eb
            .selectFrom('closed')
            .innerJoin('domains', 'domains.id', 'closed.domain_id')
            .select(['closed.id', 'closed.domain_id'])
            .select([inSeconds(1).as('due_at'), inSeconds(VERIFY_SECONDS).as('ends_at')])
            .where('closed.status', 'in', ['applied', 'partial'])
            .where('domains.verify', '<>', 'off'),
        )
        .onConflict((conflict) => conflict.doNothing()),
    )
    .with('mirrored', (db) =>
      db
        .insertInto('mirror_changes')
        .columns(['mirror_id', 'change_id', 'seq'])
        .expression((eb) =>
          eb
            .selectFrom('closed')
            .innerJoin('mirrors', 'mirrors.domain_id', 'closed.domain_id')
            .select(['mirrors.id', 'closed.id as change_id', sql<string>`closed.settled_seq`.as('seq')])
            .where('closed.status', 'in', ['applied', 'partial']),
        ),
    )
    .deleteFrom('name_locks')
    .using('closed')
    .whereRef('change_id', '=', 'closed.id')
    .where('closed.status', '<>', 'pending')
    .execute()
