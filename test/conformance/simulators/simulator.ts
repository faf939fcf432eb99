import { setTimeout as sleep } from 'node:timers/promises'
import { AccessTokens } from './access-tokens.ts'
import { CallRate, orRefused, refusedBy, type Body } from './answers.ts'
import { Call, type Dialect, type Limit, type Mood, type SimulatedZone, type Simulator } from './dialect.ts'
import { Jobs } from './jobs.ts'
import { isWrite, startServer, type SimulatorAnswer, type SimulatorRequest } from './server.ts'

/** A provider's API on a free loopback port. `options`: calls of its limits, and what its dialect knows more. */
export async function startSimulator<Z extends SimulatedZone, K extends object>(
  dialect: Dialect<Z, K>,
  options: Body = {},
): Promise<Simulator<Z, K>> {
  const prefix = (dialect.path ?? '').split('?')[0] ?? ''
  const routes = Object.entries(dialect.routes).map(([route, handle]) => ({ ...readRoute(route), handle }))
  const limits = (dialect.limits ?? []).map((limit) => new ScopedLimit(limit, options))
  const zones = new Map<string, Z>()

  const route = (request: SimulatorRequest): Promise<SimulatorAnswer> | SimulatorAnswer => {
    dialect.authenticate?.(request, sim)
    const { errors } = dialect
    const asked = dialect.readPath?.(request.path) ?? request.path
    const segments = segmentsOf(asked.slice(prefix.length))
    const there = asked.startsWith(prefix) ? routes.filter(({ path }) => matches(path, segments)) : []
    const found = there.find(({ method }) => method === request.method)
    if (found === undefined) {
      const refusal = there.length > 0 ? (errors.notAllowed ?? { status: 405 }) : errors.noRoute
      throw refusedBy(typeof refusal === 'function' ? refusal({ request }) : refusal)
    }
    return found.handle(new Call(request, readParams(found.path, segments), sim, dialect))
  }

  const answer = async (request: SimulatorRequest): Promise<SimulatorAnswer> => {
    await sleepFor(sim.mood.latency ?? 0)
    if (Math.random() < (sim.mood.share ?? 0)) return sim.mood.answer ?? { status: 503 }
    const headers: Record<string, string> = {}
    const found = await orRefused(() => {
      for (const limit of limits) Object.assign(headers, limit.take(request))
      return route(request)
    })
    return { ...found, headers: { ...found.headers, ...headers } }
  }

  const server = await startServer(answer, dialect.changes ?? isWrite)
  const { login: logIn } = dialect
  const login = logIn && (await startServer((request) => orRefused(() => logIn(request, sim))))
  const sim: Simulator<Z, K> = {
    ...server,
    ...dialect.keys(options),
    apiUrl: `${server.url}${dialect.path ?? ''}`,
    zones,
    sessions: new Set(),
    loginUrl: login?.url ?? '',
    tokens: new AccessTokens(Number(options['tokenSeconds'] ?? 3599)),
    jobs: new Jobs(),
    options: { ...options },
    mood: {},
    dialect,
    createZone: (name, given = {}) => {
      const zone = dialect.newZone(name, given, options)
      zones.set(name, zone)
      return zone
    },
    deleteZone: (name) => void zones.delete(name),
    zoneNames: () => [...zones.keys()],
    close: async () => void (await Promise.all([server.close(), login?.close()])),
  }
  return sim
}

function readRoute(route: string): { method: string; path: string[] } {
  const [method = '', path = ''] = route.split(' ')
  return { method, path: segmentsOf(path) }
}

function segmentsOf(path: string): string[] {
  const relative = path.replace(/^\//, '')
  return relative === '' ? [] : relative.split('/')
}

const matches = (path: string[], segments: string[]): boolean =>
  path.length === segments.length &&
  path.every((part, i) => (part.startsWith(':') ? segments[i] !== '' : part === segments[i]))

const readParams = (path: string[], segments: string[]): Record<string, string> =>
  Object.fromEntries(
    path.flatMap((part, i) =>
      part.startsWith(':') ? [[part.slice(1), decodeURIComponent(segments[i] ?? '')]] : [],
    ),
  )

async function sleepFor(latency: NonNullable<Mood['latency']>): Promise<void> {
  const [least, most] = typeof latency === 'number' ? [latency, latency] : latency
  if (most > 0) await sleep(least + Math.random() * (most - least))
}

/** A limit with a count for each scope. */
class ScopedLimit {
  readonly #limit: Limit
  readonly #calls: number
  readonly #seconds: number
  readonly #rates = new Map<string, CallRate>()

  constructor(limit: Limit, options: Body) {
    this.#limit = limit
    this.#calls = Number(options[limit.option] ?? limit.usual ?? Infinity)
    this.#seconds = Number(options['seconds'] ?? limit.seconds)
  }

  /** Counts a call. Answers the headers of its answer; throws Refused. */
  take(request: SimulatorRequest): Record<string, string> {
    const scope = this.#limit.scope?.(request) ?? ''
    const rate = this.#rates.get(scope) ?? new CallRate(this.#calls, this.#seconds)
    this.#rates.set(scope, rate)
    const count = rate.take()
    const wait = Math.max(1, Math.ceil((count.resetMs - Date.now()) / 1000))
    if (!count.taken) throw refusedBy(this.#limit.refuse(wait, rate))
    return this.#limit.headers?.(rate, count) ?? {}
  }
}

/** Calls the API as a client with good keys does. */
export async function send<Z extends SimulatedZone, K extends object>(
  sim: Simulator<Z, K>,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const { origin, host, pathname, search } = new URL(sim.apiUrl)
  const target = `${pathname === '/' ? '' : pathname}${path}${search}`
  const given = { 'content-type': 'application/json', ...headers }
  const signable = { method, target, headers: { host, ...given }, bytes: Buffer.from(text ?? '') }
  const own = sim.dialect.headers?.(sim, signable) ?? {}
  const answer = await fetch(`${origin}${target}`, {
    method,
    headers: { 'content-type': 'application/json', ...own, ...headers },
    ...(body !== undefined && { body: text }),
  })
  const read = await answer.text()
  const isJson = read.startsWith('{') || read.startsWith('[')
  return {
    status: answer.status,
    headers: answer.headers,
    body: isJson ? (JSON.parse(read) as unknown) : read,
  }
}
