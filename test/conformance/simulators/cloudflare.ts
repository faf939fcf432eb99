import { absoluteName, relativeName } from '../../../dns/names/names.ts'
import { Refused, bearerOf, isBody, json, pageOf, type Body } from './answers.ts'
import { hexKey, isInteger } from './checks.ts'
import { TYPES, bodyOf, meaningOf, rdataOf, storedData, type CloudflareData } from './cloudflare-records.ts'
import { defineDialect, type Call } from './dialect.ts'
import { RecordZone } from './record-zone.ts'
import { isWrite, type SimulatorAnswer, type SimulatorRequest } from './server.ts'

interface CloudflareRecord extends CloudflareData {
  id: string
  /** With the zone's, without the final dot. */
  name: string
  type: string
  proxiable: boolean
  proxied: boolean
  /** Seconds; 1: Cloudflare chooses. */
  ttl: number
  settings: Body
  meta: Body
  comment: string | null
  tags: string[]
  created_on: string
  modified_on: string
}

interface ApiError {
  code: number
  message: string
  error_chain?: { code: number; message: string }[]
}

const failure = (status: number, ...errors: ApiError[]): Refused =>
  new Refused(json(status, { result: null, success: false, errors, messages: [] }))

/** What is wrong with a record. */
const invalid = (code: number, message: string) =>
  failure(400, { code: 1004, message: 'DNS Validation Error', error_chain: [{ code, message }] })

const forbidden = failure(403, { code: 10_000, message: 'Authentication error' })
const unauthorized = failure(403, { code: 9109, message: 'Invalid access token' })

const tooMany = (seconds: number) => {
  const message =
    'More than 1200 requests per 300 seconds reached. Please wait and consider throttling your request speed'
  const { answer } = failure(429, { code: 10_100, message })
  return new Refused({ ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } })
}

// Of the free plan.
const MAX_BATCH = 200
const MAX_COMMENT = 100
const ADDRESSES = ['A', 'AAAA']
const PROXIABLE = [...ADDRESSES, 'CNAME']
/** What the real one lists at most on a page; of records it is meant never to be reached. */
const ZONES = { size: 20, most: 100 }
const RECORDS = { size: 100, most: 5_000_000 }
const TOKEN = /^[\w-]{40}$/

const RULES = {
  id: 'id',
  name: 'name',
  type: 'type',
  missing: () => failure(404, { code: 81_044, message: 'Record does not exist.' }),
  clash: ({ type }: CloudflareRecord) =>
    type === 'CNAME'
      ? failure(400, { code: 81_053, message: 'An A, AAAA, or CNAME record with that host already exists.' })
      : failure(400, { code: 81_054, message: 'A CNAME record with that host already exists.' }),
} as const

/** One zone, with the checks that Cloudflare makes when it is changed. */
class CloudflareZone extends RecordZone<CloudflareRecord> {
  readonly id = hexKey(16)
  readonly createdOn = new Date().toISOString()

  constructor(name: string) {
    super(name, RULES)
  }

  post(body: unknown): CloudflareRecord {
    const now = new Date().toISOString()
    return this.put({ id: hexKey(16), created_on: now, ...this.#judge(body), modified_on: now })
  }

  /** What the body doesn't say is lost. */
  replace(id: string, body: unknown): CloudflareRecord {
    const { created_on } = this.get(id)
    return this.put({ id, created_on, ...this.#judge(body), modified_on: new Date().toISOString() })
  }

  /** What the body doesn't say stays. */
  patch(id: string, body: unknown): CloudflareRecord {
    if (!isBody(body)) throw invalid(9207, 'Request body is invalid.')
    return this.replace(id, { ...this.get(id), ...body })
  }

  /** All or nothing, in Cloudflare's order: deletes, patches, puts, posts. */
  batch(body: unknown): Record<string, CloudflareRecord[]> {
    if (!isBody(body)) throw invalid(9207, 'Request body is invalid.')
    const changes: Record<string, (id: string, item: Body) => CloudflareRecord> = {
      deletes: (id) => {
        const record = this.get(id)
        this.delete(id)
        return record
      },
      patches: (id, item) => this.patch(id, item),
      puts: (id, item) => this.replace(id, item),
      posts: (_, item) => this.post(item),
    }
    const listOf = (key: string) => (Array.isArray(body[key]) ? (body[key] as Body[]) : [])
    if (Object.keys(changes).flatMap(listOf).length > MAX_BATCH)
      throw failure(400, { code: 9502, message: `A batch has at most ${MAX_BATCH} operations.` })
    return this.atOnce(() =>
      Object.fromEntries(
        Object.entries(changes).map(([key, change]) => [
          key,
          listOf(key).map((item) => change(String(item['id']), item)),
        ]),
      ),
    )
  }

  override put(record: CloudflareRecord): CloudflareRecord {
    const meaning = meaningOf(record)
    if (this.siblings(record).some((other) => other.type === record.type && meaningOf(other) === meaning))
      throw failure(400, { code: 81_058, message: 'An identical record already exists.' })
    return super.put(record)
  }

  /** A CNAME stands beside others than addresses. */
  protected override clashes(record: CloudflareRecord): boolean {
    const ofAddress = ADDRESSES.includes(record.type) ? ['CNAME'] : []
    const clashing = record.type === 'CNAME' ? PROXIABLE : ofAddress
    return this.siblings(record).some(({ type }) => clashing.includes(type))
  }

  #judge(body: unknown): Omit<CloudflareRecord, 'id' | 'created_on' | 'modified_on'> {
    if (!isBody(body)) throw invalid(9207, 'Request body is invalid.')
    const { proxied: wantsProxy, comment: given, ttl = 1, settings, tags } = body
    const type = String(body['type'])
    if (!TYPES.includes(type)) throw invalid(9020, 'Invalid DNS record type')
    const own = storedData(body)
    if (typeof own === 'string') throw invalid(9101, own)
    if (meaningOf({ type, ...own }) === null) throw invalid(9005, `Content for ${type} record is invalid.`)
    const proxied = wantsProxy === true
    if (proxied && !PROXIABLE.includes(type)) throw invalid(9004, 'This record type cannot be proxied.')
    const comment = typeof given === 'string' && given !== '' ? given : null
    if ((comment?.length ?? 0) > MAX_COMMENT)
      throw invalid(9300, `A comment has at most ${MAX_COMMENT} characters.`)
    const name = this.#absolute(body['name'])
    if (!proxied && ttl !== 1 && !isInteger(ttl, 60, 86_400))
      throw invalid(9021, 'TTL must be between 60 and 86400 seconds, or 1 for Automatic.')
    return {
      name,
      type,
      ...own,
      proxiable: PROXIABLE.includes(type),
      proxied,
      ttl: proxied ? 1 : Number(ttl),
      settings: isBody(settings) ? settings : {},
      meta: {},
      comment,
      tags: Array.isArray(tags) ? tags.map(String) : [],
    }
  }

  /** A name that is not of the zone is taken for one below it. */
  #absolute(name: unknown): string {
    if (typeof name !== 'string' || name === '') throw invalid(9000, 'DNS name is invalid.')
    const plain = name.toLowerCase().replace(/\.$/, '')
    if (plain === '@' || plain === this.name) return this.name
    const full = plain.endsWith(`.${this.name}`) ? plain : `${plain}.${this.name}`
    if (full.length > 253 || full.split('.').some((label) => label === '' || label.length > 63))
      throw invalid(9000, 'DNS name is invalid.')
    return full
  }
}

interface Keys extends Record<string, string> {
  token: string
  /** May not change records or zones. */
  readToken: string
  accountId: string
}
type CloudflareCall = Call<CloudflareZone, Keys>

/** What a good token may not do is answered by records as a bad one is. */
function authenticate(request: SimulatorRequest, { token, readToken }: Keys): void {
  if (request.headers['authorization'] === undefined)
    throw failure(400, { code: 10_001, message: 'Unable to authenticate request' })
  const given = bearerOf(request)
  if (!TOKEN.test(given)) {
    const error_chain = [{ code: 6111, message: 'Invalid format for Authorization header' }]
    throw failure(400, { code: 6003, message: 'Invalid request headers', error_chain })
  }
  const isKnown = given === token || given === readToken
  if (isKnown && (given === token || !isWrite(request))) return
  if (request.path.endsWith('/user/tokens/verify'))
    throw failure(401, { code: 1000, message: 'Invalid API Token' })
  throw isKnown || request.path.includes('/dns_records') ? forbidden : unauthorized
}

const success = (result: unknown, more: object = {}): SimulatorAnswer =>
  json(200, { result, success: true, errors: [], messages: [], ...more })

function list({ query }: CloudflareCall, all: unknown[], limits: typeof ZONES): SimulatorAnswer {
  const found = pageOf(all, query, limits)
  if (found === null)
    throw failure(400, { code: 1004, message: `per_page must be between 1 and ${limits.most}` })
  const { items, page, size, pages } = found
  const info = { page, per_page: size, count: items.length, total_count: all.length, total_pages: pages }
  return success(items, { result_info: info })
}

const accountOf = ({ sim }: CloudflareCall) => ({ id: sim.accountId, name: 'An account' })

const shown = (call: CloudflareCall, { id, name, createdOn }: CloudflareZone) => ({
  id,
  name,
  status: 'active',
  paused: false,
  type: 'full',
  development_mode: 0,
  name_servers: ['blakely.ns.cloudflare.com', 'vin.ns.cloudflare.com'],
  original_name_servers: null,
  created_on: createdOn,
  modified_on: createdOn,
  activated_on: createdOn,
  meta: { step: 4, page_rule_quota: 3, phishing_detected: false },
  owner: { id: null, type: 'user', email: null },
  account: accountOf(call),
  permissions: ['#dns_records:edit', '#dns_records:read', '#zone:read'],
  plan: { id: hexKey(16), name: 'Free Website', legacy_id: 'free' },
})

function listZones(call: CloudflareCall): SimulatorAnswer {
  const wanted = (field: string, value: string) => (call.query.get(field)?.toLowerCase() ?? value) === value
  const found = call.zones.filter(
    ({ name }) =>
      wanted('name', name) && wanted('account.id', call.sim.accountId) && wanted('status', 'active'),
  )
  return list(
    call,
    found.map((zone) => shown(call, zone)),
    ZONES,
  )
}

function createZone(call: CloudflareCall): SimulatorAnswer {
  const { sim, body } = call
  if (!isBody(body) || typeof body['name'] !== 'string')
    throw failure(400, { code: 1005, message: 'The name of the zone is missing.' })
  const { name, account } = body
  if (isBody(account) && (account['id'] ?? sim.accountId) !== sim.accountId)
    throw failure(403, { code: 1068, message: 'Permission denied' })
  if (sim.zones.has(name)) throw failure(400, { code: 1061, message: `${name} already exists` })
  return success(shown(call, sim.createZone(name)))
}

/** Filters of names and contents are exact or by a word after a dot, and don't tell capitals from others. */
const FILTERS: Record<string, (text: string, wanted: string) => boolean> = {
  '': (text, wanted) => text === wanted,
  '.exact': (text, wanted) => text === wanted,
  '.contains': (text, wanted) => text.includes(wanted),
  '.startswith': (text, wanted) => text.startsWith(wanted),
  '.endswith': (text, wanted) => text.endsWith(wanted),
}

const isWanted = (record: CloudflareRecord, query: URLSearchParams): boolean =>
  (query.get('type') ?? record.type) === record.type &&
  (query.get('proxied') ?? `${record.proxied}`) === `${record.proxied}` &&
  (['name', 'content'] as const).every((field) =>
    Object.entries(FILTERS).every(([word, fits]) => {
      const wanted = query.get(`${field}${word}`)
      return wanted === null || fits(record[field].toLowerCase(), wanted.toLowerCase())
    }),
  )

const noRoute = ({ request: { path } }: Pick<CloudflareCall, 'request'>) =>
  failure(
    404,
    { code: 7003, message: `Could not route to ${path}, perhaps your object identifier is invalid?` },
    { code: 7000, message: 'No route for that URI' },
  )

/** What of a record is the same when it was made anew. */
const lasting = (zone: CloudflareZone) => () =>
  zone.lasting.map((record) => record.replace(/"(created|modified)_on":"[^"]*",?/g, ''))

/** Cloudflare's API v4. Of the real one 1200 calls are taken in 5 minutes. */
export default defineDialect({
  path: '/client/v4',
  keys: (): Keys => ({
    token: `${'fake-cloudflare-token-'.padEnd(32, 'x')}${hexKey(4)}`,
    readToken: `${'fake-cloudflare-reader-'.padEnd(32, 'x')}${hexKey(4)}`,
    accountId: hexKey(16),
  }),
  newZone: (name) => new CloudflareZone(name),
  zoneKey: ({ id }) => id,
  headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
  authenticate,
  limits: [{ option: 'rate', seconds: 300, refuse: () => tooMany(300) }],
  routes: {
    'GET /user/tokens/verify': () => {
      const messages = [{ code: 10_000, message: 'This API Token is valid and active', type: null }]
      return success({ id: hexKey(16), status: 'active' }, { messages })
    },
    'GET /accounts': (call) => list(call, [accountOf(call)], ZONES),
    'GET /zones': listZones,
    'POST /zones': createZone,
    'GET /zones/:zone': (call) => success(shown(call, call.zone)),
    'DELETE /zones/:zone': ({ zone, sim }) => {
      sim.deleteZone(zone.name)
      return success({ id: zone.id })
    },
    'GET /zones/:zone/dns_records': (call) =>
      list(
        call,
        call.zone.records.filter((record) => isWanted(record, call.query)),
        RECORDS,
      ),
    'POST /zones/:zone/dns_records': ({ zone, body }) => success(zone.post(body)),
    'POST /zones/:zone/dns_records/batch': ({ zone, body }) => success(zone.batch(body)),
    'GET /zones/:zone/dns_records/:id': ({ zone, id }) => success(zone.get(id)),
    'PUT /zones/:zone/dns_records/:id': ({ zone, id, body }) => success(zone.replace(id, body)),
    'PATCH /zones/:zone/dns_records/:id': ({ zone, id, body }) => success(zone.patch(id, body)),
    'DELETE /zones/:zone/dns_records/:id': ({ zone, id }) => {
      zone.delete(id)
      return success({ id })
    },
  },
  errors: {
    noRoute,
    notAllowed: ({ request: { path } }) =>
      failure(405, { code: 7001, message: `Method not available for the requested URI ${path}` }),
    badJson: failure(400, { code: 6007, message: 'Malformed JSON in request body' }),
  },
  suite: {
    credentials: ({ token, accountId }) => ({ apiToken: token, accountId }),
    secret: 'apiToken',
    wrong: 'a-wrong-token-7f3a'.padEnd(40, 'w'),
    missingZone: { id: hexKey(16), name: 'missing.test' },
    seed: (zone, records) => {
      for (const { name, type, value, ttl, member } of records)
        zone.post({
          ...bodyOf(type, value),
          name: absoluteName(name, zone.name),
          ttl: ttl ?? 1,
          proxied: member.proxied === true,
          comment: member.comment,
        })
    },
    held: (zone) =>
      zone.records.map((record) => ({
        ...record,
        name: relativeName(record.name, zone.name) ?? record.name,
        rdata: rdataOf(record),
        ttl: record.ttl === 1 ? null : record.ttl,
      })),
    foreign: (zone) => {
      const kept = { name: 'foreign', comment: 'do not touch', tags: ['owner:somebody'], ttl: 3600 }
      zone.post({ ...kept, type: 'A', content: '192.0.2.1' })
      // Not made any more, and still there where it was.
      zone.post({ ...kept, type: 'SPF', content: 'v=spf1 -all' })
      return lasting(zone)
    },
    extra: (zone) => {
      for (const content of ['192.0.2.1', '192.0.2.2']) {
        const more = { tags: [`of:${content}`], settings: { ipv4_only: true } }
        zone.post({ type: 'A', name: 'extra', content, ttl: 3600, ...more })
      }
      return lasting(zone)
    },
    faults: {
      unauthorized,
      forbidden,
      rateLimited: tooMany(300),
      failure: failure(500, { code: 10_013, message: 'An unknown error has occurred.' }),
      refused: (message) => failure(400, { code: 1004, message }),
    },
  },
})
