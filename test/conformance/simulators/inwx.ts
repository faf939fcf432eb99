import { createHmac } from 'node:crypto'
import { readType } from '../../../dns/types/index.ts'
import { Refused, isBody, json, textOf, type Body } from './answers.ts'
import { hexKey, isData, isInteger, isLabels, isPort, isZoneName, textKey } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import { joinContent, splitContent, withoutZone } from './rdata.ts'
import { RecordZone } from './record-zone.ts'
import type { SimulatorAnswer, SimulatorRequest } from './server.ts'

interface InwxRecord {
  id: number
  /** With the zone's, without the final dot. */
  name: string
  type: string
  /** Names without the final dot; of SRV `weight port target`; text without quotes. */
  content: string
  /** Seconds. */
  ttl: number
  /** Of MX and SRV. */
  prio: number
  urlRedirectType?: string
}

const TYPES = new Set(
  'A AAAA ALIAS CAA CERT CNAME HINFO HTTPS LOC MX NAPTR NS OPENPGPKEY PTR RP SMIMEA SOA SRV SSHFP SVCB TLSA TXT URI URL'.split(
    ' ',
  ),
)
const NAME_SERVERS = ['ns.inwx.de', 'ns2.inwx.de', 'ns3.inwx.eu']
/** Of these the content ends in a name, to which INWX puts the final dot itself. */
const ENDS_IN_NAME = new Set(['ALIAS', 'CNAME', 'MX', 'NS', 'PTR', 'SRV'])
const DEFAULT_TTL = 86_400
const MIN_TTL = 300
const MAX_TTL = 864_000

/** Codes as of EPP (RFC 5730 section 3); whatever went wrong, it is 200. */
const MESSAGES: Record<number, string> = {
  2000: 'Unknown command',
  2001: 'Command syntax error',
  2003: 'Required parameter missing',
  2004: 'Parameter value range error',
  2005: 'Parameter value syntax error',
  2200: 'Authentication error',
  2201: 'Authorization error',
  2302: 'Object exists',
  2303: 'Object does not exist',
  2308: 'Data management policy violation',
  2400: 'Command failed',
}

const failure = (code: number, reason?: string) =>
  new Refused(json(200, { code, msg: MESSAGES[code], ...(reason && { reasonCode: 'PARAM', reason }) }))
const invalid = (reason: string) => failure(2005, reason)

let ids = 4_210_337

const RULES = {
  id: 'id',
  name: 'name',
  type: 'type',
  missing: () => failure(2303),
  clash: () => failure(2308, 'CNAME'),
} as const

class InwxZone extends RecordZone<InwxRecord> {
  readonly roId = ++ids

  constructor(name: string, { ns }: Body) {
    const servers: string[] = Array.isArray(ns) ? ns.map(String) : NAME_SERVERS
    const own = { name, ttl: DEFAULT_TTL, prio: 0 }
    const soa = `${servers[0]} hostmaster.inwx.de 2026112201 10800 3600 604800 3600`
    super(name, RULES, [
      { id: ++ids, ...own, type: 'SOA', content: soa },
      ...servers.map((content) => ({ id: ++ids, ...own, type: 'NS', content })),
    ])
  }

  /** Answers its id. */
  create(params: Body): number {
    if (typeof params['type'] !== 'string') throw failure(2003, 'type')
    return this.put(this.#judge(++ids, { name: '', ttl: DEFAULT_TTL, prio: 0, ...params })).id
  }

  /** What is not said stays. */
  update(id: number, params: Body): void {
    this.put(this.#judge(id, { ...this.#changeable(id), ...params }))
  }

  override delete(id: number): void {
    super.delete(this.#changeable(id).id)
  }

  override put(record: InwxRecord): InwxRecord {
    const isSame = ({ type, content, prio }: InwxRecord) =>
      type === record.type && content === record.content && prio === record.prio
    if (!this.clashes(record) && this.siblings(record).some(isSame)) throw failure(2302)
    return super.put(record)
  }

  #changeable(id: number): InwxRecord {
    const found = this.get(id)
    if (found.type === 'SOA') throw failure(2308, 'SOA')
    return found
  }

  #judge(id: number, params: Body): InwxRecord {
    const { type, content, ttl, prio } = params
    if (typeof type !== 'string' || !TYPES.has(type) || type === 'SOA') throw invalid('type')
    if (typeof content !== 'string' || content === '') throw failure(2003, 'content')
    if (!isInteger(ttl, MIN_TTL, MAX_TTL)) throw failure(2004, 'ttl')
    if (!isPort(prio)) throw failure(2004, 'prio')
    const record = { id, name: this.#whole(params['name']), type, content, ttl, prio }
    if (readType(type) !== null && !isData(type, rdataOf(record))) throw invalid('content')
    if (ENDS_IN_NAME.has(type) && content.endsWith('.')) throw invalid('content')
    if (type === 'TXT' && /`| $/.test(content)) throw invalid('content')
    return record
  }

  /** Taken relative to the zone, and with its name. */
  #whole(given: unknown): string {
    const name = textOf(given).toLowerCase()
    const isWhole = name === this.name || name.endsWith(`.${this.name}`)
    const whole = isWhole ? name : name === '' || name === '@' ? this.name : `${name}.${this.name}`
    if (!isLabels(whole)) throw invalid('name')
    return whole
  }
}

const rdataOf = ({ type, content, prio }: InwxRecord): string => joinContent(type, content, prio)

const PAGES = { size: 20, most: 1000 }
const COOKIE = 'domrobot'

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

const notLoggedIn = failure(2200)
const forbidden = failure(2201)

const done = (resData?: Body, headers: Record<string, string> = {}): SimulatorAnswer =>
  json(
    200,
    { code: 1000, msg: 'Command completed successfully', ...(resData && { resData }), runtime: 0.05 },
    headers,
  )

type InwxCall = Call<InwxZone, { username: string; password: string; totpSecret: string }>

const sessionOf = ({ headers }: SimulatorRequest): string =>
  new RegExp(`\\b${COOKIE}=(\\w+)`).exec(String(headers.cookie))?.[1] ?? ''

/** `sessions` are those that may act; with a second factor they are `locked` before. */
function login({ sim }: InwxCall, { user, pass }: Body): SimulatorAnswer {
  if (user !== sim.username || pass !== sim.password) throw notLoggedIn
  const isLocked = sim.options['secondFactor'] === true
  const session = hexKey(16)
  sim.sessions.add(isLocked ? `locked ${session}` : session)
  const cookie = `${COOKIE}=${session}; path=/; secure; HttpOnly`
  const tfa = isLocked ? 'GOOGLE-AUTH' : '0'
  return done({ customerId: 4711, accountId: 4711, customerNo: 2_147_483, tfa }, { 'set-cookie': cookie })
}

/** Takes each code once. */
function unlock({ sim, request }: InwxCall, { tan }: Body): SimulatorAnswer {
  const { now: clock = Date.now, lastStep = 0 } = sim.options
  const now = Math.floor((clock as () => number)() / 30_000)
  const step = [now, now - 1].find((each) => codeAt(each) === textOf(tan))
  if (step === undefined || step <= Number(lastStep)) throw notLoggedIn
  sim.options['lastStep'] = step
  sim.sessions.add(sessionOf(request))
  return done()
}

function zoneOf({ zones }: InwxCall, { domain, roId }: Body): InwxZone {
  if (domain === undefined && roId === undefined) throw failure(2003, 'domain')
  const found = zones.find((zone) => zone.roId === roId || zone.name === domain)
  if (found === undefined) throw failure(2303)
  return found
}

/** The records of one id or several, with their zones. */
function recordsOf({ zones }: InwxCall, { id }: Body): [zone: InwxZone, id: number][] {
  const given: unknown[] = Array.isArray(id) ? id : [id]
  return given.map((one) => {
    if (!isInteger(one, 0, Infinity)) throw failure(2003, 'id')
    const zone = zones.find((each) => each.has(one))
    if (zone === undefined) throw failure(2303)
    return [zone, one]
  })
}

/** `*` stands for anything. Where there are none, there is no list. */
function list(
  { zones }: InwxCall,
  { domain = '*', page = 1, pagelimit = PAGES.size }: Body,
): SimulatorAnswer {
  if (!isInteger(page, 1, Infinity) || !isInteger(pagelimit, 1, PAGES.most)) throw failure(2004, 'pagelimit')
  const parts = textOf(domain)
    .split('*')
    .map((part) => part.replaceAll('.', String.raw`\.`))
  const pattern = new RegExp(`^${parts.join('.*')}$`)
  const found = zones.filter(({ name }) => pattern.test(name))
  if (found.length === 0) return done({ count: 0 })
  const domains = found.slice((page - 1) * pagelimit, page * pagelimit).map(({ roId, name }) => ({
    roId,
    domain: name,
    type: 'MASTER',
    ipv4: '',
    mail: '',
    web: '',
    url: '',
  }))
  return done({ count: found.length, domains })
}

/** All records that are as is said; names with the zone's. Where there are none, there is no list. */
function info(call: InwxCall, params: Body): SimulatorAnswer {
  const zone = zoneOf(call, params)
  const { recordId = null, type, name, content, ttl, prio } = params
  const wanted = Object.entries({ id: recordId ?? undefined, type, name, content, ttl, prio })
  const record = zone.records.filter((each) =>
    wanted.every(([field, value]) => value === undefined || Reflect.get(each, field) === value),
  )
  const shown = { roId: zone.roId, domain: zone.name, type: 'MASTER', count: record.length }
  return done({ ...shown, ...(record.length > 0 && { record }) })
}

function create({ sim }: InwxCall, { domain, type, ns }: Body): SimulatorAnswer {
  const name = textOf(domain).toLowerCase()
  if (name === '' || type !== 'MASTER') throw failure(2003, name === '' ? 'domain' : 'type')
  if (!isZoneName(name)) throw failure(2005, 'domain')
  if (sim.zones.has(name)) throw failure(2302)
  return done({ roId: sim.createZone(name, { ns }).roId })
}

const METHODS: Record<string, (call: InwxCall, params: Body) => SimulatorAnswer> = {
  'account.info': () => done({ accountId: 4711, customerId: 4711, username: 'somebody' }),
  'account.logout': ({ sim, request }) => {
    sim.sessions.delete(sessionOf(request))
    return json(200, { code: 1500, msg: 'Command completed successfully; ending session' })
  },
  'nameserver.list': list,
  'nameserver.info': info,
  'nameserver.create': create,
  'nameserver.delete': (call, params) => {
    call.sim.deleteZone(zoneOf(call, params).name)
    return done()
  },
  'nameserver.createRecord': (call, params) => done({ id: zoneOf(call, params).create(params) }),
  'nameserver.updateRecord': (call, { id, ...params }) => {
    for (const [zone, one] of recordsOf(call, { id })) zone.update(one, params)
    return done()
  },
  'nameserver.deleteRecord': (call, params) => {
    for (const [zone, one] of recordsOf(call, params)) zone.delete(one)
    return done()
  },
}

/**
 * INWX' DomRobot by JSON. `secondFactor`: a session must be unlocked by a code; `now`: milliseconds since 1970. What is
 * not documented is the stricter: a lone dot is no target, TTLs are of 300 to 864000 seconds.
 */
export default defineDialect({
  path: '/jsonrpc/',
  keys: ({ secondFactor }) => ({
    username: 'somebody',
    password: textKey(12),
    totpSecret: secondFactor === true ? SECRET : '',
  }),
  newZone: (name, given) => new InwxZone(name, given),
  changes: ({ body }) => /"nameserver\.(create|update|delete)/.test(body),
  routes: {
    'POST /': (call) => {
      const { method, params = {} } = isBody(call.body) ? call.body : {}
      if (typeof method !== 'string' || !isBody(params)) throw failure(2001)
      if (method === 'account.login') return login(call, params)
      const { sessions } = call.sim
      const session = sessionOf(call.request)
      if (method === 'account.unlock' && sessions.has(`locked ${session}`)) return unlock(call, params)
      if (!sessions.has(session)) throw notLoggedIn
      const run = METHODS[method]
      if (run === undefined) throw failure(2000)
      return run(call, params)
    },
  },
  errors: { noRoute: { status: 404 }, badJson: failure(2001) },
  suite: {
    credentials: ({ username, password, totpSecret }) => ({ username, password, totpSecret }),
    secret: 'password',
    wrong: '7f3a'.repeat(4),
    missingZone: { id: '999999999', name: 'missing.test' },
    seed: (zone, records) => {
      for (const { name, type, value, ttl } of records) {
        const { content, priority: prio = 0 } = splitContent(type, value)
        zone.create({ name, type, content, prio, ttl })
      }
    },
    held: (zone) =>
      zone.added.map((record) => ({
        ...record,
        name: withoutZone(record.name, zone.name),
        rdata: rdataOf(record),
      })),
    foreign: (zone) => {
      zone.create({ name: 'foreign', type: 'A', content: '192.0.2.1', ttl: 3600 })
      const jump = { type: 'URL', content: 'https://www.example.net/', ttl: 3600, prio: 0 }
      for (const name of ['foreign', 'jump'])
        zone.hold({ id: ++ids, ...jump, name: `${name}.${zone.name}`, urlRedirectType: 'HEADER301' })
      return () => zone.lasting
    },
    faults: {
      unauthorized: notLoggedIn,
      forbidden,
      // Not of its own: of who stands before it.
      rateLimited: { status: 429, headers: { 'content-type': 'text/html' }, body: 'Too Many Requests' },
      failure: failure(2400),
      refused: invalid,
    },
  },
})
