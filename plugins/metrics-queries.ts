import { sql } from 'kysely'
import type { Executor } from '../db/connection/connect.ts'

export interface Backlog {
  kind: 'events' | 'deliveries' | 'mails' | 'operations' | 'changes'
  waiting: number
  /** Seconds since the oldest was stored; 0 when none waits. */
  oldest: number
}

/** Counts what is stored but not sent or done yet, except what was given up. */
export const readBacklogs = (db: Executor): Promise<Backlog[]> =>
  db
    .selectFrom(
      db
        .selectFrom('events')
        .select([sql.lit<Backlog['kind']>('events').as('kind'), 'created_at'])
        .where('failed_at', 'is', null)
        .unionAll(
          db
            .selectFrom('deliveries')
            .select([sql.lit<Backlog['kind']>('deliveries').as('kind'), 'created_at'])
            .where('status', '=', 'pending'),
        )
        .unionAll(
          db
            .selectFrom('mails')
            .select([sql.lit<Backlog['kind']>('mails').as('kind'), 'created_at'])
            .where('expires_at', '>', sql<Date>`now()`),
        )
        .unionAll(
          db
            .selectFrom('operations')
            .select([sql.lit<Backlog['kind']>('operations').as('kind'), 'created_at'])
            .where('state', '<>', 'finished'),
        )
        .unionAll(
          db
            .selectFrom('changes')
            .select([sql.lit<Backlog['kind']>('changes').as('kind'), 'created_at'])
            .where('status', '=', 'pending'),
        )
        .as('stored'),
    )
    .select(['kind', sql<number>`count(*)::int`.as('waiting')])
    .select(sql<number>`coalesce(extract(epoch from now() - min(created_at)), 0)::float8`.as('oldest'))
    .groupBy('kind')
    .execute()

/** Domains whose provider holds other records than those here. */
export async function countOutOfSync(db: Executor): Promise<number> {
  const { count } = await db
    .selectFrom('domains')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('drift_found_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return count
}
