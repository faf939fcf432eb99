import { createHmac, randomBytes } from 'node:crypto'
import { isBody, json, orRefused, parse, textOf, type Body } from './answers.ts'
import { InwxZone, NAME_SERVERS, failure, type InwxRecord } from './inwx-zone.ts'
import { startServer, type SimulatorAnswer, type SimulatorRequest, type SimulatorServer } from './server.ts'

export interface FakeInwx extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  username: string
  password: string
  /** In base 32; '' where the account has no second factor. */
  totpSecret: string
  /** Ends all sessions. */
  endSessions(): void
  createZone(name: string): InwxZone
  deleteZone(name: string): void
  zoneNames(): string[]
}

const PATH = '/jsonrpc/'
const PAGES = { size: 20, most: 1000 }
const COOKIE = 'domrobot'

/**
 * INWX' DomRobot by JSON over a socket. `secondFactor`: a session must be unlocked by a code, each of which is taken
 * once. `now`: milliseconds since 1970. What is not documented is the stricter: a lone dot is no target, TTLs are of 300 to
 * 864000 seconds.
 */
export async function startFakeInwx({ secondFactor = false, now = Date.now } = {}): Promise<FakeInwx> {
  const api = new Api(secondFactor, now)
  const server = await startServer(
    (request) => orRefused(() => api.answer(request)),
    ({ body }) => /"nameserver\.(create|update|delete)/.test(body),
  )
  return {
    ...server,
    apiUrl: `${server.url}${PATH}`,
    username: api.username,
    password: api.password,
    totpSecret: secondFactor ? SECRET : '',
    endSessions: () => api.sessions.clear(),
    createZone: (name) => api.createZone(name),
    deleteZone: (name) => void api.zones.delete(name),
    zoneNames: () => [...api.zones.keys()],
  }
}

/** The key of RFC 6238 appendix B, in base 32 and as it is. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const KEY = '12345678901234567890'

/** Of six digits, by SHA-1, for 30 seconds (RFC 6238). */
function codeAt(step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', KEY).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0')
}

export const notLoggedIn = () => failure(2200)
export const forbidden = () => failure(2201)

const done = (resData?: Body, headers: Record<string, string> = {}): SimulatorAnswer =>
  json(
    200,
    { code: 1000, msg: 'Command completed successfully', ...(resData && { resData }), runtime: 0.05 },
    headers,
  )

class Api {
  readonly zones = new Map<string, InwxZone>()
  /** Whether they are unlocked. */
  readonly sessions = new Map<string, boolean>()
  readonly username = 'somebody'
  readonly password = randomBytes(12).toString('base64url')
  readonly #secondFactor: boolean
  readonly #now: () => number
  #lastStep = 0

  constructor(secondFactor: boolean, now: () => number) {
    this.#secondFactor = secondFactor
    this.#now = now
  }

  createZone(name: string, nameServers?: string[]): InwxZone {
    const zone = new InwxZone(name, nameServers)
    this.zones.set(name, zone)
    return zone
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    if (request.path !== PATH) return { status: 404 }
    if (request.method !== 'POST') return { status: 405 }
    const call = parse(request, failure(2001).answer)
    const { method, params = {} } = isBody(call) ? call : {}
    if (typeof method !== 'string' || !isBody(params)) throw failure(2001)
    if (method === 'account.login') return this.#login(params)
    const [, session = ''] = new RegExp(`\\b${COOKIE}=(\\w+)`).exec(String(request.headers.cookie)) ?? []
    const isUnlocked = this.sessions.get(session)
    if (method === 'account.unlock' && isUnlocked !== undefined) return this.#unlock(session, params)
    if (isUnlocked !== true) throw notLoggedIn()
    if (method === 'account.logout') {
      this.sessions.delete(session)
      return json(200, { code: 1500, msg: 'Command completed successfully; ending session' })
    }
    const run = METHODS[method]
    if (run === undefined) throw failure(2000)
    return run(this, params)
  }

  #login({ user, pass }: Body): SimulatorAnswer {
    if (user !== this.username || pass !== this.password) throw notLoggedIn()
    const session = randomBytes(16).toString('hex')
    this.sessions.set(session, !this.#secondFactor)
    const tfa = this.#secondFactor ? 'GOOGLE-AUTH' : '0'
    const cookie = `${COOKIE}=${session}; path=/; secure; HttpOnly`
    return done({ customerId: 4711, accountId: 4711, customerNo: 2_147_483, tfa }, { 'set-cookie': cookie })
  }

  #unlock(session: string, { tan }: Body): SimulatorAnswer {
    const now = Math.floor(this.#now() / 30_000)
    const step = [now, now - 1].find((each) => codeAt(each) === textOf(tan))
    if (step === undefined || step <= this.#lastStep) throw notLoggedIn()
    this.#lastStep = step
    this.sessions.set(session, true)
    return done()
  }

  zone({ domain, roId }: Body): InwxZone {
    if (domain === undefined && roId === undefined) throw failure(2003, 'domain')
    const found = [...this.zones.values()].find((zone) => zone.roId === roId || zone.name === domain)
    if (found === undefined) throw failure(2303)
    return found
  }

  /** In which the record is. */
  zoneOf(id: number): InwxZone {
    const found = [...this.zones.values()].find((zone) => zone.has(id))
    if (found === undefined) throw failure(2303)
    return found
  }
}

const METHODS: Record<string, (api: Api, params: Body) => SimulatorAnswer> = {
  'account.info': () => done({ accountId: 4711, customerId: 4711, username: 'somebody' }),
  'nameserver.list': list,
  'nameserver.info': info,
  'nameserver.create': create,
  'nameserver.delete': (api, params) => {
    api.zones.delete(api.zone(params).name)
    return done()
  },
  'nameserver.createRecord': (api, params) => done({ id: api.zone(params).create(params) }),
  'nameserver.updateRecord': (api, { id, ...params }) => {
    for (const one of idsOf(id)) api.zoneOf(one).update(one, params)
    return done()
  },
  'nameserver.deleteRecord': (api, { id }) => {
    for (const one of idsOf(id)) api.zoneOf(one).delete(one)
    return done()
  },
}

function idsOf(id: unknown): number[] {
  const ids: unknown[] = Array.isArray(id) ? id : [id]
  if (ids.some((one) => !Number.isInteger(one))) throw failure(2003, 'id')
  return ids.map(Number)
}

/** `*` stands for anything. Where there are none, there is no list. */
function list({ zones }: Api, { domain = '*', page = 1, pagelimit = PAGES.size }: Body): SimulatorAnswer {
  const [at, size] = [Number(page), Number(pagelimit)]
  if (!Number.isInteger(at) || at < 1 || !Number.isInteger(size) || size < 1 || size > PAGES.most)
    throw failure(2004, 'pagelimit')
  const parts = textOf(domain)
    .split('*')
    .map((part) => part.replaceAll('.', String.raw`\.`))
  const pattern = new RegExp(`^${parts.join('.*')}$`)
  const found = [...zones.values()].filter(({ name }) => pattern.test(name))
  if (found.length === 0) return done({ count: 0 })
  const domains = found.slice((at - 1) * size, at * size).map((zone) => ({
    roId: zone.roId,
    domain: zone.name,
    type: 'MASTER',
    ipv4: '',
    mail: '',
    web: '',
    url: '',
  }))
  return done({ count: found.length, domains })
}

/** All records that are as is said; names with the zone's. Where there are none, there is no list. */
function info(api: Api, params: Body): SimulatorAnswer {
  const zone = api.zone(params)
  const { recordId = null, type, name, content, ttl, prio } = params
  const wanted = Object.entries({ id: recordId ?? undefined, type, name, content, ttl, prio })
  const isWanted = (record: InwxRecord) =>
    wanted.every(([field, value]) => value === undefined || record[field as keyof InwxRecord] === value)
  const record = zone.records.filter(isWanted)
  const shown = { roId: zone.roId, domain: zone.name, type: 'MASTER', count: record.length }
  return done({ ...shown, ...(record.length > 0 && { record }) })
}

function create(api: Api, { domain, type, ns }: Body): SimulatorAnswer {
  const name = textOf(domain).toLowerCase()
  if (name === '' || type !== 'MASTER') throw failure(2003, name === '' ? 'domain' : 'type')
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(name)) throw failure(2005, 'domain')
  if (api.zones.has(name)) throw failure(2302)
  return done({ roId: api.createZone(name, Array.isArray(ns) ? ns.map(String) : NAME_SERVERS).roId })
}
