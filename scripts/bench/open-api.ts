import { load, generator } from './load.ts'
import { DOMAIN_LISTS, RECORD_LISTS, type ListCase } from './list-cases.ts'
import { startPostgres } from './postgres.ts'
import { signIn, startService, type Server } from './processes.ts'
import { median, ratio, type Result, type Row } from './report.ts'
import { seedAssignments, seedDomains, seedLargeDomain, seedUsers } from './seed.ts'

const ROUNDS = 8
const SECONDS = 1
const CONNECTIONS = 16
const MEASURED = [...DOMAIN_LISTS, ...RECORD_LISTS].filter(({ what }) =>
  ['domains, administrator', 'domains, member', '… of a group', 'records of a domain of 10,000'].includes(
    what,
  ),
)

/**
 * The lists of the Open API by personal token, compared with those of /api by access token on the same
 * service, alternating.
 */
export async function openApi(): Promise<Result> {
  const postgres = await startPostgres({ durable: false })
  try {
    const database = await postgres.createDatabase('bench')
    await seedUsers(database)
    await seedDomains(database, { domains: 20_000, recordsEach: 10 })
    await seedLargeDomain(database, 10_000)
    await seedAssignments(database, 500)
    const service = await startService(database)
    const rows: Row[] = []
    try {
      for (const list of MEASURED) rows.push(await measure(service, list))
    } finally {
      await service.close()
    }
    return {
      title: 'Lists by personal token: requests per second.',
      target: 'at least as fast as by access token',
      rows,
      notes: [
        `20,000 domains, 210,000 records. Load from ${generator}, ${CONNECTIONS} connections; ${ROUNDS} rounds of ` +
          `${SECONDS} s for both, alternating; medians, also of the ratio.`,
      ],
    }
  } finally {
    await postgres.close()
  }
}

async function measure({ address }: Server, { what, user, path }: ListCase): Promise<Row> {
  const session = await signIn(address, user)
  const token = await personalToken(address, session)
  const bySession = () => load(address + path, session, { connections: CONNECTIONS, seconds: SECONDS })
  const byToken = () =>
    load(address + path.replace('/api/', '/api/v1/'), token, { connections: CONNECTIONS, seconds: SECONDS })
  await bySession()
  await byToken()
  const [people, programs]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    // Each goes first in turn, because the second finds warmer caches.
    for (const isByToken of round % 2 === 0 ? [false, true] : [true, false]) {
      const { requestsPerSecond } = await (isByToken ? byToken() : bySession())
      ;(isByToken ? programs : people).push(requestsPerSecond)
    }
  }
  return {
    list: what,
    '/api': Math.round(median(people)),
    '/api/v1': Math.round(median(programs)),
    ratio: ratio(median(programs.map((value, i) => value / (people[i] as number)))),
  }
}

async function personalToken(
  address: string,
  headers: { authorization: string },
): Promise<{ authorization: string }> {
  const response = await fetch(`${address}/api/auth/me/tokens`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench', permissions: ['domains:read', 'records:read'] }),
  })
  const { token } = (await response.json()) as { token: string }
  if (response.status !== 201) throw new Error(`No token: ${response.status}`)
  return { authorization: `Bearer ${token}` }
}
