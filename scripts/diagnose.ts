import os from 'node:os'
import { sql, type Kysely, type RawBuilder } from 'kysely'
import { givenSettings, readConfig } from '../config.ts'
import type { Connection } from '../db/connection/connect.ts'
import { migrations } from '../db/migrations/index.ts'
import { readJournal } from '../db/migrations/journal.ts'
import type { Database } from '../db/tables/index.ts'
import { readBacklogs } from '../plugins/metrics-queries.ts'
import packageJson from '../package.json' with { type: 'json' }
import { reachDatabase, run } from './database.ts'

/**
 * Prints as JSON what support needs to know of an installation: versions, settings without secrets, sizes, what waits, and
 * slow statements (their texts, never their values). Changes nothing, and works while the service runs.
 */
await run(async () => {
  const report = {
    at: new Date(),
    service: { version: packageJson.version, node: process.version, user: process.getuid?.() ?? null },
    machine: {
      platform: `${os.platform()} ${os.release()} ${os.arch()}`,
      processors: os.availableParallelism(),
      memory: os.totalmem(),
      freeMemory: os.freemem(),
      load: os.loadavg(),
    },
    settings: givenSettings(),
    ...(await describeDatabase()),
  }
  console.log(JSON.stringify(report, null, 2))
})

/** Also of an installation that does not start: a wrong setting and a database that is away are part of the answer. */
async function describeDatabase(): Promise<object> {
  let connection: Connection | null
  try {
    connection = await reachDatabase(readConfig())
  } catch (error) {
    return { problem: (error as Error).message }
  }
  if (connection === null) return { database: null, problem: 'The embedded PostgreSQL is not running' }
  try {
    return await connection.jobs.transaction().execute(async (trx) => {
      await sql`set transaction read only`.execute(trx)
      await sql`set local statement_timeout = 15000`.execute(trx)
      return { database: await describe(trx), backlogs: await readBacklogs(trx) }
    })
  } catch (error) {
    return { problem: (error as Error).message }
  } finally {
    await connection.close()
  }
}

async function describe(db: Kysely<Database>): Promise<object> {
  const all = async (query: RawBuilder<unknown>) => (await query.execute(db)).rows
  const [server] = await all(sql`
    select version(), pg_is_in_recovery() as standby,
      pg_postmaster_start_time() as started_at, pg_database_size(current_database())::float8 as bytes,
      current_setting('max_connections')::int as max_connections`)
  const journal = await readJournal(db)
  const names = new Set(journal.filter(({ done }) => done).map(({ name }) => name))
  const known = Object.keys(migrations)
  const [{ has_statements: hasStatements }] = (await all(
    sql`select to_regclass('pg_stat_statements') is not null as has_statements`,
  )) as [{ has_statements: boolean }]
  return {
    server,
    migrations: {
      applied: names.size,
      missing: known.filter((name) => !names.has(name)),
      // Of a newer version.
      unknown: [...names].filter((name) => !known.includes(name)),
    },
    tables: await all(sql`
      select relname as name, n_live_tup::float8 as rows, n_dead_tup::float8 as dead_rows,
        pg_total_relation_size(relid)::float8 as bytes, coalesce(last_autoanalyze, last_analyze) as analyzed_at
      from pg_stat_user_tables order by pg_total_relation_size(relid) desc limit 20`),
    connections: await all(sql`
      select application_name, state, count(*)::int, max(now() - xact_start)::text as oldest_transaction
      from pg_stat_activity where datname = current_database() group by 1, 2 order by 1, 2`),
    waitingForLocks: await all(sql`
      select pid, pg_blocking_pids(pid) as blocked_by, (now() - query_start)::text as since, left(query, 500) as query
      from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' limit 20`),
    runningStatements: await all(sql`
      select application_name, (now() - query_start)::text as since, left(query, 500) as query from pg_stat_activity
      where datname = current_database() and state = 'active' and now() - query_start > interval '1 second'
        and pid <> pg_backend_pid() order by query_start limit 20`),
    slowStatements: hasStatements
      ? await all(sql`
          select calls::float8, round(mean_exec_time::numeric, 1)::float8 as mean_ms, round(total_exec_time)::float8 as total_ms,
            rows::float8, left(query, 500) as query
          from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
          order by total_exec_time desc limit 20`)
      : 'The extension pg_stat_statements is not installed',
    scheduledTasks: await all(sql`
      select name, due_at, holder is not null as running, due_at < now() - interval '5 minutes' as late
      from scheduled_tasks order by due_at`),
    providers: await all(sql`
      select provider, count(*)::int as connections, count(breaker_since)::int as paused, max(breaker_failures)::int as failures
      from provider_configs group by 1 order by 1`),
  }
}
