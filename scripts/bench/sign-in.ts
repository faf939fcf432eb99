import { load } from './load.ts'
import { startPostgres } from './postgres.ts'
import { signIn, startService, startStatic, type Server } from './processes.ts'
import { median, ms, ratio, verdict, type Result } from './report.ts'
import { PASSWORD, seedUsers } from './seed.ts'

const ROUNDS = 5
const LOAD = { connections: 32, seconds: 3 }
const LOGINS = 50
const REFRESHES = 200
const IDLE_REQUESTS = 2_000

/**
 * The caller's account compared with a static route; a burst of sign-ins at the same time; many refreshes of
 * one token.
 */
export async function signInLoad(): Promise<Result> {
  const postgres = await startPostgres({ durable: true })
  try {
    const database = await postgres.createDatabase('sign_in')
    await seedUsers(database)
    const [service, plain] = await Promise.all([startService(database, { rateLimit: 0 }), startStatic()])
    try {
      const { ofBare, ofOwn } = await againstStatic(service, plain)
      const { idle, busy } = await besideLogins(service)
      const lineages = await parallelRefreshes(service)
      return {
        title: 'Sign-in and `GET /api/auth/me`.',
        target: 'p99 of `/api/auth/me` under 10 times idle during 50 sign-ins; one successor',
        rows: [
          { what: '`/api/auth/me` relative to a static route', measured: ratio(ofBare), holds: '' },
          { what: '`/api/auth/me` relative to `/healthz`', measured: ratio(ofOwn), holds: '' },
          { what: 'p99 idle', measured: ms(idle), holds: '' },
          { what: `p99 during ${LOGINS} logins`, measured: ms(busy), holds: verdict(busy < idle * 10) },
          {
            what: `successors after ${REFRESHES} refreshes`,
            measured: lineages,
            holds: verdict(lineages === 1),
          },
        ],
        notes: [
          'The static route is a plain Fastify route that returns a constant, without logging, metrics, limits and security headers; `/healthz` is a constant with all of these, so that ratio is the cost of token, session and user.',
        ],
      }
    } finally {
      await Promise.all([service.close(), plain.close()])
    }
  } finally {
    await postgres.close()
  }
}

/**
 * Requests per second for the caller's account, relative to a plain static route and to one of the service.
 */
async function againstStatic(service: Server, plain: Server): Promise<{ ofBare: number; ofOwn: number }> {
  const headers = await signIn(service.address, 'admin')
  const [ofBare, ofOwn]: [number[], number[]] = [[], []]
  // The first round is a warm-up and does not count.
  for (let round = 0; round <= ROUNDS; round++) {
    const account = await load(`${service.address}/api/auth/me`, headers, LOAD)
    const bare = await load(plain.address, {}, LOAD)
    const own = await load(`${service.address}/healthz`, {}, LOAD)
    if (round === 0) continue
    ofBare.push(account.requestsPerSecond / bare.requestsPerSecond)
    ofOwn.push(account.requestsPerSecond / own.requestsPerSecond)
  }
  return { ofBare: median(ofBare), ofOwn: median(ofOwn) }
}

/** The 99th percentile of single requests, one after another, idle and during many sign-ins. */
async function besideLogins({ address }: Server): Promise<{ idle: number; busy: number }> {
  const headers = await signIn(address, 'admin')
  const idle: number[] = []
  for (let i = 0; i < IDLE_REQUESTS; i++) idle.push(await timed(address, headers))
  const burst = { over: false }
  const logins = Promise.all(Array.from({ length: LOGINS }, () => tryLogin(address))).finally(() => {
    burst.over = true
  })
  const busy: number[] = []
  while (!burst.over) busy.push(await timed(address, headers))
  await logins
  return { idle: percentile99(idle), busy: percentile99(busy) }
}

async function timed(address: string, headers: Record<string, string>): Promise<number> {
  const begun = performance.now()
  const response = await fetch(`${address}/api/auth/me`, { headers })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`The own account answered ${response.status}`)
  return performance.now() - begun
}

async function tryLogin(address: string): Promise<void> {
  // For an account that does not exist: it costs a hash as well, and no limit of an account ends it early.
  const response = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: `nobody-${crypto.randomUUID()}`, password: PASSWORD }),
  })
  await response.arrayBuffer()
  // 503: the queue of hashes is full, which protects the other routes.
  if (response.status !== 401 && response.status !== 503)
    throw new Error(`A login answered ${response.status}`)
}

async function parallelRefreshes({ address }: Server): Promise<number> {
  const login = await fetch(`${address}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  })
  const { refreshToken } = (await login.json()) as { refreshToken: string }
  const successors = await Promise.all(
    Array.from({ length: REFRESHES }, async () => {
      const response = await fetch(`${address}/api/auth/refresh`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ refreshToken }),
      })
      if (response.status !== 200) throw new Error(`A refresh answered ${response.status}`)
      return ((await response.json()) as { refreshToken: string }).refreshToken
    }),
  )
  return new Set(successors).size
}

const percentile99 = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0
