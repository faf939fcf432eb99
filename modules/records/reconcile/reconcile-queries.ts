import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'
import type { ChangeSource } from '../../../db/tables/index.ts'
import type { DueTime } from '../../../plugins/work/due-times-queries.ts'
import { contentIn } from '../history/history-queries.ts'
import { AUTHOR_COLUMNS, type ChangeAuthor } from '../apply/journal/journal-actor.ts'

const DUE = sql`(status = 'pending' or look_again) and lease_until < now()`

/** How long changes wait for their next look. */
export const changesDue = ({ pending, givenUp }: { pending: number; givenUp: number }): DueTime => ({
  table: 'changes',
  column: 'lease_until',
  longest: sql`case when status = 'pending' then ${sql.lit(pending)} else ${sql.lit(givenUp)} end`,
  where: sql`(status = 'pending' or look_again)`,
})

/** A change that waits to be looked for at its provider. */
export interface DueChange extends ChangeAuthor {
  id: string
  domain_id: string
  source: ChangeSource
  /** Pending, or decided: then it is the last look. */
  status: 'pending' | 'partial' | 'failed'
  looks: number
  unknown_since: Date | null
}

/** Provider configurations of which changes wait that nobody has settled in time, the longest waiting first. */
export async function findConnectionsToReconcile(
  db: Executor,
  { except, limit }: { except: readonly string[]; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select provider_config_id as id from changes join domains on domains.id = domain_id
    where ${DUE} and provider_config_id <> all(${except}::uuid[])
    group by provider_config_id order by min(lease_until) limit ${limit}
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** Takes the change of that configuration that waits longest, for one instance. */
export async function claimDueChange(
  db: Executor,
  providerConfigId: string,
  leaseSeconds: number,
): Promise<DueChange | undefined> {
  const { rows } = await sql<DueChange>`
    update changes set lease_until = now() + make_interval(secs => ${leaseSeconds})
    where id = (
      select changes.id from changes join domains on domains.id = domain_id
      where ${DUE} and provider_config_id = ${providerConfigId}
      order by lease_until limit 1 for update of changes skip locked
    ) returning id, domain_id, ${sql.raw(AUTHOR_COLUMNS)}, source, status, looks, unknown_since
  `.execute(db)
  return rows[0]
}

/** None of the changes that wait in that configuration is looked at for so long, nor the one that `failed` just now. */
export const postponeChanges = (
  db: Executor,
  providerConfigId: string,
  { failed, seconds }: { failed: string; seconds: number },
) =>
  sql`
    update changes set lease_until = now() + make_interval(secs => ${seconds})
    from domains where domains.id = domain_id and provider_config_id = ${providerConfigId}
      and (${DUE} or changes.id = ${failed})
  `.execute(db)

/** Those of a lost answer wait for their next look, whoever settles them. */
export async function endLeases(db: Executor): Promise<void> {
  await sql`update changes set lease_until = now() where status = 'pending' and unknown_since is null`.execute(
    db,
  )
}

export const renewChanges = (db: Executor, ids: readonly string[], seconds: number) =>
  sql`
    update changes set lease_until = now() + make_interval(secs => ${seconds})
    where id = any(${ids}::uuid[]) and status = 'pending'
  `.execute(db)

/** The instance ends: whoever comes next looks for them at once. */
export const releaseChanges = (db: Executor, ids: readonly string[]) =>
  sql`
    update changes set lease_until = now() where id = any(${ids}::uuid[]) and (status = 'pending' or look_again)
  `.execute(db)

export const pendingItems = (db: Executor, changeId: string) =>
  db
    .selectFrom('change_items')
    .innerJoin('records', 'records.id', 'change_items.record_id')
    .select(['position', 'action', 'record_id', 'records.provider_record_id'])
    .select([contentIn('before').as('before'), contentIn('after').as('after')])
    .where('change_id', '=', changeId)
    .where('outcome', '=', 'pending')
    .orderBy('position')
    .execute()

/** It was not found, or not all of it: the provider is asked again after so many seconds. */
export const noteAttempt = (db: Executor, changeId: string, seconds: number) =>
  sql`
    update changes set looks = looks + 1, lease_until = now() + make_interval(secs => ${seconds}::float8)
    where id = ${changeId} and status = 'pending'
  `.execute(db)

/** What the failed items of a change were about. */
export const failedItems = (db: Executor, changeId: string) =>
  db
    .selectFrom('change_items')
    .select([contentIn('before').as('before'), contentIn('after').as('after')])
    .where('change_id', '=', changeId)
    .where('outcome', '=', 'failed')
    .execute()

/** The last look is over; false when somebody else had it. */
export async function endRecheck(db: Executor, changeId: string): Promise<boolean> {
  const { rows } = await sql`
    update changes set look_again = false where id = ${changeId} and look_again returning id
  `.execute(db)
  return rows.length > 0
}
