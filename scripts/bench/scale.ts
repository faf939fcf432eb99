import type pg from 'pg'
import { DOMAIN_LISTS, FAR_LISTS, type ListCase } from './list-cases.ts'
import { generator, load } from './load.ts'
import { startPostgres, withClient } from './postgres.ts'
import { signIn, startService, type Server } from './processes.ts'
import { median, ms, ratio, verdict, type Result, type Row } from './report.ts'
import { seedAssignments, seedDomains, seedUsers } from './seed.ts'

const SIZES = [1_000, 1_000_000] as const
const ROUNDS = 5
const SECONDS = 1
const CONNECTIONS = 4
const TARGET = 1.5
/** Milliseconds, for distant pages. */
const FAR_TARGET = 500
const COUNTED = 5

interface Service {
  server: Server
  database: pg.ClientConfig
}

/** The same lists with few and with many domains, alternating. */
export async function scale(): Promise<Result> {
  const postgres = await startPostgres({ durable: false })
  const services: Service[] = []
  try {
    for (const domains of SIZES) {
      const database = await postgres.createDatabase(`bench_${domains}`)
      await seedUsers(database)
      await seedDomains(database, { domains, recordsEach: 0 })
      await seedAssignments(database, 500)
      services.push({ server: await startService(database), database })
    }
    const rows: Row[] = []
    for (const list of DOMAIN_LISTS) rows.push(await measure(services, list))
    const [, large] = services as [Service, Service]
    const { address } = large.server
    const sessions = { admin: await signIn(address, 'admin'), member: await signIn(address, 'member') }
    for (const { path, user, what, byCursor } of FAR_LISTS) {
      const url = address + path
      const target = byCursor ? await nextOf(url, sessions[user]) : url
      rows.push(await measureFar(target, sessions[user], what))
    }
    return {
      title: 'Domain lists with 1,000 and 1,000,000 domains.',
      target:
        'the median grows by less than 1.5 times; the total is exact; distant pages and searches end within 500 ms or are refused with a reason',
      rows,
      notes: [
        `Load from ${generator}, ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s for each, alternating. "After a write" is the first request after a change to the list, ` +
          'which counts the matches of the filter again; this grows with their number. ' +
          'Among 1,000 domains the search that one in thousand matches finds one and the tag about twenty; among 1,000,000 a thousand and twenty thousand.',
      ],
    }
  } finally {
    for (const { server } of services) await server.close()
    await postgres.close()
  }
}

async function measure(services: Service[], list: ListCase): Promise<Row> {
  const sides = []
  for (const { server, database } of services) {
    sides.push({
      url: server.address + list.path,
      headers: await signIn(server.address, list.user),
      database,
    })
  }
  for (const { url, headers } of sides)
    await load(url, headers, { connections: CONNECTIONS, seconds: SECONDS })
  const times = sides.map(() => [] as number[])
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, { url, headers }] of sides.entries()) {
      times[i]?.push((await load(url, headers, { connections: CONNECTIONS, seconds: SECONDS })).median)
    }
  }
  const [few, many] = times.map(median) as [number, number]
  const afterWrite = await firstAfterWrite(sides[1] as Side)
  return {
    list: list.what,
    '1,000': ms(few),
    '1,000,000': ms(many),
    grows: ratio(many / few),
    holds: verdict(many / few < TARGET),
    'after a write': ms(afterWrite),
  }
}

/** The URL of the page after this one. */
async function nextOf(url: string, headers: Record<string, string>): Promise<string> {
  const response = await fetch(url, { headers })
  const { nextCursor } = (await response.json()) as { nextCursor: string }
  return `${url.split('?')[0]}?cursor=${nextCursor}`
}

/** One request after the other: the first counts the matches, the others use the cached count. */
async function measureFar(url: string, headers: Record<string, string>, what: string): Promise<Row> {
  const times: number[] = []
  let status = 0
  for (let i = 0; i < COUNTED; i++) {
    const begun = performance.now()
    const response = await fetch(url, { headers })
    await response.arrayBuffer()
    times.push(performance.now() - begun)
    status = response.status
  }
  const slowest = Math.max(...times)
  return {
    list: what,
    '1,000': '',
    '1,000,000': status === 400 ? 'refused (400)' : ms(median(times)),
    grows: '',
    holds: verdict(slowest < FAR_TARGET && (status === 200 || status === 400)),
    'after a write': status === 400 ? '' : `${ms(slowest)} at worst`,
  }
}

interface Side {
  url: string
  headers: Record<string, string>
  database: pg.ClientConfig
}

async function firstAfterWrite({ url, headers, database }: Side): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < COUNTED; i++) {
    // Simulates a write, which raises the version of every list.
    await withClient(database, (client) => client.query('update domain_lists set version = version + 1'))
    const begun = performance.now()
    const response = await fetch(url, { headers })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`${url} answers ${response.status}`)
    times.push(performance.now() - begun)
  }
  return median(times)
}
