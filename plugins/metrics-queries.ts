import { sql } from 'kysely'
import type { Executor } from '../db/connection/connect.ts'

export interface Backlog {
  kind: 'events' | 'deliveries' | 'mails' | 'operations'
  waiting: number
  /** Seconds since the oldest was stored; 0 when none waits. */
  oldest: number
}

/** What is stored and not sent or done yet; not what was given up. */
export async function readBacklogs(db: Executor): Promise<Backlog[]> {
  const { rows } = await sql<Backlog>`
    select kind, count(*)::int as waiting,
      coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest
    from (
      select 'events' as kind, created_at from events where failed_at is null
      union all select 'deliveries', created_at from deliveries where status = 'pending'
      union all select 'mails', created_at from mails where expires_at > now()
      union all select 'operations', created_at from operations where state <> 'finished'
    ) as stored
    group by kind
  `.execute(db)
  return rows
}
