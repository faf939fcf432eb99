import type pg from 'pg'
import { load, generator } from './load.ts'
import { DOMAIN_LISTS, RECORD_LISTS, type ListCase } from './list-cases.ts'
import { hasPgbench, pgbench } from './pgbench.ts'
import { startPostgres, withClient } from './postgres.ts'
import { signIn, startBare, startService, type Server } from './processes.ts'
import { median, ratio, type Result, type Row } from './report.ts'
import { seedAssignments, seedDomains, seedLargeDomain, seedUsers } from './seed.ts'
import { statementOfRequest } from './request-statement.ts'
import type { Statement } from './statements.ts'

const ROUNDS = 7
const SECONDS = 1
const CONNECTIONS = 32

/** Lists over HTTP, compared with a plain route with the same SQL and with that SQL alone, alternating. */
export async function lists(): Promise<Result> {
  const postgres = await startPostgres({ durable: false })
  try {
    const database = await postgres.createDatabase('bench')
    await seedUsers(database)
    await seedDomains(database, { domains: 100_000, recordsEach: 10 })
    await seedLargeDomain(database, 10_000)
    await seedAssignments(database, 500)
    const service = await startService(database)
    const rows: Row[] = []
    try {
      for (const list of [...DOMAIN_LISTS, ...RECORD_LISTS]) rows.push(await measure(database, service, list))
    } finally {
      await service.close()
    }
    return {
      title: 'Lists: requests per second.',
      target: 'none; compared with a plain Fastify route with the same SQL, and with pgbench',
      rows,
      notes: [
        `100,000 domains, 1,010,000 records; pages of 20 domains and of 50 records. Load from ${generator}, ` +
          `${CONNECTIONS} connections; ${ROUNDS} rounds of ${SECONDS} s for each of the three, alternating; medians, also of the ratios. ` +
          'The plain route has a pool of 10, a named statement and a response schema, but no authentication, permissions, logging and security headers. ' +
          `pgbench: ${hasPgbench ? 'prepared, 4 clients' : 'not installed here'}.`,
        'The total of a filter is counted once per version of the list, so these are requests between two writes; for requests that count, see the table "Scale".',
      ],
    }
  } finally {
    await postgres.close()
  }
}

async function measure(database: pg.ClientConfig, service: Server, list: ListCase): Promise<Row> {
  const statement = await statementOfRequest(database, list)
  const bare = await startBare({
    config: database,
    ...statement,
    row: await schemaOfRow(database, statement),
  })
  try {
    const headers = await signIn(service.address, list.user)
    const through = (seconds: number) =>
      load(service.address + list.path, headers, { connections: CONNECTIONS, seconds })
    const without = (seconds: number) => load(bare.address, {}, { connections: CONNECTIONS, seconds })
    await through(1)
    await without(1)
    const [ours, bares, tps]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < ROUNDS; round++) {
      ours.push((await through(SECONDS)).requestsPerSecond)
      bares.push((await without(SECONDS)).requestsPerSecond)
      if (hasPgbench) tps.push(await pgbench(database, statement, SECONDS))
    }
    const of = (others: number[]) => median(ours.map((value, i) => value / (others[i] as number)))
    return {
      list: list.what,
      Zonekeeper: Math.round(median(ours)),
      'plain route': Math.round(median(bares)),
      pgbench: hasPgbench ? Math.round(median(tps)) : '–',
      'of plain': ratio(of(bares)),
      'of pgbench': hasPgbench ? ratio(of(tps)) : '–',
    }
  } finally {
    await bare.close()
  }
}

/** The usual schema for these columns. */
async function schemaOfRow(database: pg.ClientConfig, statement: Statement): Promise<object> {
  const { rows } = await withClient(database, (client) =>
    client.query<object>(statement.text, statement.values),
  )
  return schemaOf(rows[0])
}

function schemaOf(value: unknown): object {
  if (Array.isArray(value)) return { type: 'array', items: value.length > 0 ? schemaOf(value[0]) : {} }
  if (typeof value === 'number') return { type: ['integer', 'null'] }
  if (typeof value === 'boolean') return { type: 'boolean' }
  if (typeof value !== 'object' || value === null) return { type: ['string', 'null'] }
  const properties = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, schemaOf(inner)]))
  return { type: 'object', properties }
}
