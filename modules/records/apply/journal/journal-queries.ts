import { sql } from 'kysely'
import { RECORDS } from '../../../../db/tables/columns.ts'
import type { Executor } from '../../../../db/connection/connect.ts'
import { memberKey } from '../../../../dns/names/rrset.ts'
import type { ChangeSource } from '../../../../db/tables/index.ts'
import type { Actor } from '../../../../plugins/security/access/index.ts'
import type { FailureCode } from '../../../../plugins/http/failure.ts'
import { LEASE_SECONDS } from '../../../../plugins/work/leases.ts'
import type { NewEvent } from '../../../../plugins/events/outbox/event.ts'
import { storingEvents } from '../../../../plugins/events/outbox/queries.ts'
import { auditPart, provenanceOf, type AuditEntry } from '../../../audit/service.ts'
import type { Step } from '../../plan/change.ts'
import type { RecordRow } from '../../list/mapper.ts'

/** How a step ended at the provider. `pending`: nobody can tell yet; it stays so until it is settled. */
export type StepOutcome =
  /** `unconfirmed`: what the record is now is not known for sure. */
  | { outcome: 'applied'; providerId: string | null; unconfirmed?: boolean }
  | { outcome: 'failed'; error: string; code: FailureCode; unconfirmed?: boolean }
  | { outcome: 'pending' }

/** An outcome with the position of its item in the change. */
export type ItemOutcome = StepOutcome & { position: number }

/**
 * The records of these names and ids (with all others of their names), and which of the names are locked; `whole`: of
 * all names, for the provider writes the zone as a whole.
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

/**
 * Writes down what is about to be sent to the provider, and reserves it: new records are there as
 * `pending`, so that the constraints hold, and the names are locked against other changes until this one
 * is settled. The caller holds the domain's row and has seen that the names are free.
 */
export async function openChange(
  db: Executor,
  change: { id: string; domainId: string; actor: Actor; source: ChangeSource; operationId: string | null },
  steps: Step[],
): Promise<void> {
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
        source, status, lease_until)
      values (${change.id}, ${change.domainId}, ${change.actor.userId}, ${change.actor.username}, ${by.origin},
        ${by.token_id}, ${by.token_name}, ${by.token_suffix}, ${change.operationId}, ${change.source}, 'pending', clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}))
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
  // A statement of its own, after the one that marks what goes: the constraints look at each row at once.
  const creations = JSON.stringify(created.map(toItem))
  await sql`
    with item as (select * from jsonb_to_recordset(${creations}::jsonb) as item (record_id uuid, after jsonb)),
    ${reserve(change.domainId, created.length)}
  `.execute(db)
}

/** Stores the new records that `item` has; the rest of a statement. */
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

/** Whether the record leaves its place, or stands in nobody's way any more: another may come in the same change. */
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

/** Held before anything else of a domain is locked, by all who open or settle a change. */
export const lockDomain = (db: Executor, domainId: string) =>
  sql`select 1 from domains where id = ${domainId} for no key update`.execute(db)

export interface Settlement {
  id: string
  domainId: string
  outcomes: ItemOutcome[]
  audit: { actor: Actor; entry: AuditEntry }
  events: NewEvent[]
  /** When items stay pending: after so many seconds the provider is asked. */
  firstLookSeconds: number
  /** When items failed: after so many seconds the provider is asked once more; null: that they failed is certain. */
  lateLookSeconds: number | null
}

/** As a table: arrays, of which PostgreSQL knows the length when it plans. Of JSON it guesses a hundred rows. */
const resultsOf = (outcomes: ItemOutcome[]) => {
  const column = <T>(value: (result: ItemOutcome) => T) => outcomes.map(value)
  return sql`unnest(
    ${column(({ position }) => position)}::int[],
    ${column(({ outcome }) => outcome)}::text[],
    ${column((result) => (result.outcome === 'failed' ? result.error : null))}::text[],
    ${column((result) => (result.outcome === 'failed' ? result.code : null))}::text[],
    ${column((result) => result.outcome !== 'pending' && result.unconfirmed === true)}::boolean[],
    ${column((result) => (result.outcome === 'applied' ? result.providerId : null))}::text[]
  ) as result (position, outcome, error, code, unconfirmed, provider_id)`
}

/**
 * Lets the records of these items leave their places, which others of the same change may take: the
 * constraints look at each row at once. The caller holds the domain's row and closes the change after.
 */
export const leavePlaces = (trx: Executor, { id, outcomes }: Settlement) =>
  sql`
    update records set deleting = true
    from ${resultsOf(outcomes)}
    join change_items as item on item.change_id = ${id} and item.position = result.position
    where records.id = item.record_id and item.outcome = 'pending' and result.outcome <> 'pending'
  `.execute(trx)

/**
 * Makes true here what happened there, in one statement with its audit row and its events; items that are
 * still pending stay as they are, and of two who settle at the same time the second does nothing. Answers the
 * records concerned that are still there. It need not wait for the disk: what a power failure takes of it is
 * settled again from the journal, which did wait.
 */
export async function closeChange(
  db: Executor,
  { id, domainId, outcomes, audit, events, firstLookSeconds, lateLookSeconds }: Settlement,
): Promise<RecordRow[]> {
  const settled = sql`exists (select from item)`
  const applied = sql`exists (select from item where outcome = 'applied')`
  const { rows } = await sql<RecordRow>`
    with locked as materialized (
      select set_config('synchronous_commit', 'off', true) from domains where id = ${domainId} for no key update
    ), result as (
      select * from ${resultsOf(outcomes)}
    ), item as (
      update change_items as i set outcome = result.outcome, error = result.error, error_code = result.code
      from result, locked where i.change_id = ${id} and i.position = result.position and i.outcome = 'pending'
      returning i.action, i.record_id, i.after, result.outcome, result.unconfirmed, result.provider_id
    ), gone as (
      delete from records using item where records.id = item.record_id and
        ((item.action = 'create' and item.outcome = 'failed') or (item.action = 'delete' and item.outcome = 'applied'))
      returning records.id
    ), kept as (
      update records set
        status = case when item.unconfirmed or (item.outcome = 'failed' and records.status = 'failed')
          then 'failed' else 'active' end,
        deleting = false,
        name = case when applied.yes then item.after ->> 'name' else records.name end,
        type = case when applied.yes then item.after ->> 'type' else records.type end,
        value = case when applied.yes then item.after ->> 'value' else records.value end,
        ttl = case when applied.yes then (item.after ->> 'ttl')::int else records.ttl end,
        priority = case when applied.yes then (item.after ->> 'priority')::int else records.priority end,
        proxied = case when applied.yes then (item.after ->> 'proxied')::boolean else records.proxied end,
        enabled = case when applied.yes then coalesce((item.after ->> 'enabled')::boolean, true) else records.enabled end,
        comment = case when applied.yes then coalesce(item.after ->> 'comment', '') else records.comment end,
        routing = case when applied.yes then nullif(item.after -> 'routing', 'null') else records.routing end,
        extra = case when applied.yes then nullif(item.after -> 'extra', 'null') else records.extra end,
        provider_record_id = case when applied.yes then item.provider_id else provider_record_id end,
        version = case when applied.yes and item.action = 'update' then version + 1 else version end,
        updated_at = case when applied.yes then now() else updated_at end
      from item, lateral (select item.outcome = 'applied' as yes) as applied
      where records.id = item.record_id and item.outcome <> 'pending' and
        not ((item.action = 'create' and item.outcome = 'failed') or (item.action = 'delete' and item.outcome = 'applied'))
      returning ${sql.raw(RECORDS.join(', '))}
    ), tally as (
      select count(*) filter (where outcome = 'applied') as applied,
        count(*) filter (where outcome = 'failed') as failed,
        count(*) filter (where outcome = 'pending') as pending
      from (
        select outcome from result union all
        select outcome from change_items where change_id = ${id} and outcome <> 'pending'
      ) as all_items
    ), closed as (
      update changes set
        status = case when tally.pending > 0 then 'pending' when tally.failed = 0 then 'applied'
          when tally.applied = 0 then 'failed' else 'partial' end,
        settled_at = case when tally.pending > 0 then null else now() end,
        settled_seq = case when tally.pending > 0 then null else nextval('change_order') end,
        unknown_since = case when tally.pending > 0 then coalesce(unknown_since, now()) end,
        look_again = tally.pending = 0 and tally.failed > 0 and ${lateLookSeconds !== null},
        lease_until = now() + make_interval(secs =>
          case when tally.pending > 0 then ${firstLookSeconds}::float8 else ${lateLookSeconds ?? 0}::float8 end)
      from tally, locked where id = ${id} returning status
    ), unlocked as (
      delete from name_locks using closed where change_id = ${id} and closed.status <> 'pending'
    ), counted as (
      update domains set record_count = record_count - (select count(*) from gone)::int,
        record_version = record_version + 1
      where id = ${domainId}
    ), ${auditPart(audit.actor, audit.entry, applied)},
    ${storingEvents(events, settled)}
    select * from kept
  `.execute(db)
  return rows
}
