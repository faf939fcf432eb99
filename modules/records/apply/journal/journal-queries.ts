import { sql } from 'kysely'
import { RECORDS } from '../../../../db/tables/columns.ts'
import type { Executor } from '../../../../db/connection/connect.ts'
import { memberKey } from '../../../../dns/names/rrset.ts'
import type { ChangeSource } from '../../../../db/tables/index.ts'
import type { Actor } from '../../../../plugins/security/access/index.ts'
import type { FailureCode } from '../../../../schemas/codes/failure-codes.ts'
import { LEASE_SECONDS } from '../../../../plugins/work/leases.ts'
import { provenanceOf } from '../../../audit/service.ts'
import type { RecordContent, Step } from '../../plan/change.ts'
import type { RecordRow } from '../../list/mapper.ts'

/** How a step ended at the provider. `pending`: unknown until the step is reconciled. */
export type StepOutcome =
  /** `unconfirmed`: the current content of the record is uncertain. */
  | { outcome: 'applied'; providerId: string | null; unconfirmed?: boolean }
  | { outcome: 'failed'; error: string; code: FailureCode; unconfirmed?: boolean }
  | { outcome: 'pending' }

/** An outcome with the position of its item in the change. */
export type ItemOutcome = StepOutcome & { position: number }

/**
 * Returns the records of these names, and of the names of these ids, and which of the names are locked.
 * `whole`: locks of all names, because the provider writes the whole zone.
 */
export async function readNames(
  db: Executor,
  domainId: string,
  names: string[],
  recordIds: string[],
  { whole = false } = {},
): Promise<{ records: RecordRow[]; locked: string[] }> {
  const { rows } = await sql<RecordRow & { locked: string[] }>`
    with concerned as (
      select unnest(${names}::text[]) as name
      union select name from records where domain_id = ${domainId} and id = any(${recordIds}::uuid[])
    )
    select array(select name from name_locks where domain_id = ${domainId}
      and (${whole} or name in (select name from concerned))) as locked, ${sql.raw(RECORDS.join(', '))}
    from (select) as one
    left join records on domain_id = ${domainId} and name in (select name from concerned)
  `.execute(db)
  return { records: rows[0]?.id == null ? [] : rows, locked: rows[0]?.locked ?? [] }
}

/** A change to be stored, as the columns of `changes` describe it. */
export interface NewChange {
  id: string
  domainId: string
  actor: Actor
  source: ChangeSource
  operationId: string | null
  changeRequestId: string | null
  emergencyReason: string | null
}

/**
 * Stores what is about to be sent to the provider, and reserves it: new records exist as `pending`, so that
 * the constraints apply, and the names are locked against other changes until this one ends. The caller holds
 * the domain's row and has checked that the names are free.
 */
export async function openChange(db: Executor, change: NewChange, steps: Step[]): Promise<void> {
  const by = provenanceOf(change.actor)
  const created = steps.filter((step) => step.action === 'create')
  const items = JSON.stringify(
    steps.map((step, position) => ({
      ...toItem(step, position),
      leaves: step.action === 'delete' || (created.length > 0 && makesRoom(step)),
    })),
  )
  const written = sql`
    item as (
      select * from jsonb_to_recordset(${items}::jsonb) as item
        (position int, action text, record_id uuid, name text, type text, before jsonb, after jsonb, leaves boolean)
    ), change as (
      insert into changes (id, domain_id, actor_id, actor_name, origin, token_id, token_name, token_suffix, operation_id,
        change_request_id, emergency_reason, source, status, lease_until)
      values (${change.id}, ${change.domainId}, ${change.actor.userId}, ${change.actor.username}, ${by.origin},
        ${by.token_id}, ${by.token_name}, ${by.token_suffix}, ${change.operationId},
        ${change.changeRequestId}, ${change.emergencyReason}, ${change.source}, 'pending',
        clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}))
    ), items as (
      insert into change_items (change_id, position, action, record_id, name, type, before, after, outcome)
      select ${change.id}::uuid, position, action, record_id, name, type, before, after, 'pending' from item
    ), locks as (
      insert into name_locks (domain_id, name, change_id)
      select distinct ${change.domainId}::uuid, name, ${change.id}::uuid from (
        select before ->> 'name' as name from item union select after ->> 'name' from item
      ) as names where name is not null
    )`
  if (created.length === steps.length) {
    await sql`with ${written}, ${reserve(change.domainId, created.length)}`.execute(db)
    return
  }
  await sql`
    with ${written}
    update records set deleting = item.leaves,
      status = case when status = 'failed' then 'failed' else 'pending' end
    from item where records.id = item.record_id and item.action <> 'create'
  `.execute(db)
  if (created.length === 0) return
  // A separate statement after the one that marks deleted records, because constraints check each row
  // immediately.
  const creations = JSON.stringify(created.map(toItem))
  await sql`
    with item as (select * from jsonb_to_recordset(${creations}::jsonb) as item (record_id uuid, after jsonb)),
    ${reserve(change.domainId, created.length)}
  `.execute(db)
}

/** The end of a statement: stores the new records in `item`. */
const reserve = (domainId: string, count: number) => sql`
  created as (
    insert into records (id, domain_id, name, type, value, ttl, priority, proxied, enabled, comment, routing, extra,
      status)
    select record_id, ${domainId}::uuid, after ->> 'name', after ->> 'type', after ->> 'value',
      (after ->> 'ttl')::int, (after ->> 'priority')::int, (after ->> 'proxied')::boolean, (after ->> 'enabled')::boolean,
      after ->> 'comment', nullif(after -> 'routing', 'null'), nullif(after -> 'extra', 'null'), 'pending'
    from item
  )
  update domains set record_count = record_count + ${count}, record_version = record_version + 1
  where id = ${domainId}
`

/** Whether the step frees its place in the RRset, so that another record can take it in the same change. */
const makesRoom = ({ before, after }: Step) =>
  before !== null && after !== null && (memberKey(before) !== memberKey(after) || !after.enabled)

const toItem = (step: Step, position: number) => ({
  position,
  action: step.action,
  record_id: step.recordId,
  name: (step.after ?? step.before)?.name,
  type: (step.after ?? step.before)?.type,
  before: step.before,
  after: step.after,
})

/**
 * Locks the domain's row. Whoever opens or closes a change takes this lock before any other of the domain.
 */
export const lockDomain = (db: Executor, domainId: string) =>
  db.selectFrom('domains').select('id').where('id', '=', domainId).forNoKeyUpdate().execute()

/** An item of a change, with the status of the change. */
export interface ChangeItem {
  status: 'pending' | 'applied' | 'partial' | 'failed'
  action: Step['action']
  record_id: string
  before: RecordContent | null
  after: RecordContent | null
  outcome: StepOutcome['outcome']
  error: string | null
}

/** In order of position; empty if the change no longer exists. */
export async function itemsOfChange(db: Executor, changeId: string): Promise<ChangeItem[]> {
  const rows = await db
    .selectFrom('changes')
    .innerJoin('change_items', 'change_id', 'changes.id')
    .select(['status', 'action', 'record_id', 'before', 'after', 'outcome', 'error'])
    .where('changes.id', '=', changeId)
    .orderBy('position')
    .execute()
  return rows
}
