import { sql } from 'kysely'
import type { DueTime } from './due-times-queries.ts'

const schema = 'pgboss'

/** The queue's own times: when schedules and queues were looked at last, and when a job is due; all of them are now. */
export const JOBS_DUE: DueTime[] = [
  { table: `${schema}.version`, column: 'cron_on', longest: 0 },
  { table: `${schema}.queue`, column: 'monitor_on', longest: 0 },
  { table: `${schema}.queue`, column: 'maintain_on', longest: 0 },
  { table: `${schema}.job`, column: 'start_after', longest: 0, where: sql`state < 'active'` },
]
