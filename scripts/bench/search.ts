import type pg from 'pg'
import { timed } from './create.ts'
import { startPostgres, withClient } from './postgres.ts'
import { signIn, startService } from './processes.ts'
import { median, ms, quantile, verdict, type Result, type Row } from './report.ts'
import { seedUsers, type UserName } from './seed.ts'
import { seedSearched, SHARED_ADDRESS, SHARED_HOST } from './seed-search.ts'
import { callerOf, type Call } from './zones.ts'

const SIZE = { domains: 100_000, recordsEach: 100 }
const ROUNDS = 20
const TARGET_MS = 100
const USERS: readonly UserName[] = ['admin', 'member', 'delegate']

/** Common searches, each with a different term of its kind. */
export async function search(): Promise<Result> {
  const postgres = await startPostgres({ durable: false })
  const database = await postgres.createDatabase('searched')
  try {
    await seedUsers(database)
    await seedSearched(database, SIZE)
    return await measureSearch(database)
  } finally {
    await postgres.close()
  }
}

/** For a seeded database. */
export async function measureSearch(database: pg.ClientConfig): Promise<Result> {
  const service = await startService(database)
  try {
    const calls = new Map<UserName, Call>()
    for (const user of USERS)
      calls.set(user, callerOf(service.address, { ...(await signIn(service.address, user)) }))
    const rows: Row[] = []
    for (const [what, sought] of Object.entries(await soughtIn(database))) {
      for (const user of USERS) rows.push(await measure(what, sought, user, calls.get(user) as Call))
    }
    return {
      title: 'Search over 10,000,000 records.',
      target: `p99 under ${TARGET_MS} ms`,
      rows,
      notes: [
        `100,000 domains of 100 records. For each kind and user, ${ROUNDS} different searches, one after another, over HTTP. The member owns nine domains of ten; the delegate has access to 1,000, half of them in part.`,
      ],
    }
  } finally {
    await service.close()
  }
}

async function measure(what: string, sought: string[], user: UserName, call: Call): Promise<Row> {
  const times: number[] = []
  let found = 0
  for (const q of [...sought.slice(0, 3), ...sought]) {
    times.push(
      await timed(async () => {
        const { total } = await call('GET', `/api/records/search?q=${encodeURIComponent(q)}`)
        found = Math.max(found, total as number)
      }),
    )
  }
  const warm = times.slice(3)
  const p99 = quantile(warm, 0.99)
  return {
    'search for': what,
    user,
    p50: ms(median(warm)),
    p99: ms(p99),
    'most results': found,
    holds: verdict(p99 < TARGET_MS),
  }
}

/** Existing terms from all over the table. */
async function soughtIn(database: pg.ClientConfig): Promise<Record<string, string[]>> {
  return withClient(database, async (client) => {
    const some = async (column: string, condition: string) => {
      const { rows } = await client.query<{ q: string }>(
        `select ${column} as q from records tablesample system (0.2) join domains on domains.id = domain_id
         where ${condition} limit ${ROUNDS}`,
      )
      return rows.map(({ q }) => q)
    }
    const own = `type = 'A' and value not like '198.51.100.%'`
    const repeat = (q: string) => Array.from({ length: ROUNDS }, () => q)
    return {
      'an address of one record': await some('value', own),
      'an IPv6 address of one record': await some('value', `type = 'AAAA'`),
      'an address of thousands': repeat(SHARED_ADDRESS),
      'a network of 256, rare': await some(`host(network(set_masklen(value::inet, 24))) || '/24'`, own),
      'a network of thousands': repeat('198.51.100.0/24'),
      'a /8': await some(`split_part(value, '.', 1) || '.0.0.0/8'`, own),
      'a target of tens of thousands': repeat(SHARED_HOST),
      'a verification text': await some('value', `value like 'site-verification=%'`),
      'a part of a rare name': await some('records.name', `records.name like 'host-%'`),
      'a part of common names': repeat('host-'),
      'part of an address': await some(`regexp_replace(value, '\\.\\d+$', '')`, own),
      'a full name': await some(`records.name || '.' || domains.name`, `records.name like 'node-%'`),
      'no match': Array.from({ length: ROUNDS }, (_, i) => `nothing-${i}-here`),
    }
  })
}
