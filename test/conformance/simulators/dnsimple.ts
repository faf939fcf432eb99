import { typeOf } from '../../../dns/types/index.ts'
import { readQuoted } from '../../../dns/text/text.ts'
import { Refused, bearerOf, isBody, json, pageOf, rateHeaders, type Body } from './answers.ts'
import { MAX_TTL, hexKey, isAddress, isData, isInteger, isLabels, isTarget, isZoneName } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import { atAsEmpty, emptyAsAt, joinContent, rdataOfText, splitContent } from './rdata.ts'
import { RecordZone } from './record-zone.ts'
import { isWrite, type SimulatorAnswer } from './server.ts'

interface DnsimpleRecord {
  id: number
  /** The name of the zone. */
  zone_id: string
  parent_id: null
  /** Relative to the zone, '' for the apex. */
  name: string
  /** Names without the final dot; of SRV `weight port target`; a TXT in quotes. */
  content: string
  /** Seconds. */
  ttl: number
  /** Of MX and SRV; else null. */
  priority: number | null
  type: string
  regions: string[]
  /** DNSimple's own: neither changed nor deleted. */
  system_record: boolean
  created_at: string
  updated_at: string
}

const TYPES = new Set(
  'A AAAA ALIAS CAA CNAME DNSKEY DS HINFO MX NAPTR NS POOL PTR SPF SRV SSHFP TLSA TXT URL'.split(' '),
)
const TARGETS = new Set(['ALIAS', 'CNAME', 'NS', 'PTR', 'POOL', 'MX'])
const DEFAULT_TTL = 3600
/** Characters of a TXT in quotes, with them and with escapes (https://support.dnsimple.com/articles/txt-record-format/). */
const MAX_TEXT = 1000
const PAGES = { size: 30, most: 100 }
const NAME_SERVERS = [
  'ns1.dnsimple.com',
  'ns2.dnsimple-edge.net',
  'ns3.dnsimple.com',
  'ns4.dnsimple-edge.org',
]

const failure = (status: number, message: string, more: object = {}) =>
  new Refused(json(status, { message, ...more }))
const invalid = (errors: Record<string, string[]>) => failure(400, 'Validation failed', { errors })
const unauthorized = failure(401, 'Authentication failed')
const forbidden = failure(403, 'Permission Denied. Required Scope: zones:*:write')
const tooMany = failure(429, 'API rate limit exceeded')
const missing = (what: string, id: string) => failure(404, `${what} \`${id}\` not found`)

const RULES = {
  id: 'id',
  name: 'name',
  type: 'type',
  times: ['created_at', 'updated_at'],
  missing: (id: string) => missing('Record', id),
  clash: () =>
    invalid({ base: ['The zone already contains a record with the same name that conflicts with a CNAME'] }),
  twins: {
    identity: ({ type, content, priority }: DnsimpleRecord) => `${type} ${priority} ${content}`,
    refuse: () => invalid({ base: ['Validation failed: The zone record already exists'] }),
  },
} as const

let ids = 64_784
const now = () => new Date().toISOString().replace(/\.\d+Z/, 'Z')

class DnsimpleZone extends RecordZone<DnsimpleRecord> {
  readonly id = ++ids
  readonly #createdAt = now()

  constructor(name: string) {
    const own = (type: string, content: string): DnsimpleRecord => ({
      ...DnsimpleZone.#blank(name),
      content,
      type,
      system_record: true,
    })
    const soa = `ns1.dnsimple.com admin.dnsimple.com 1458642070 86400 7200 604800 300`
    super(name, RULES, [own('SOA', soa), ...NAME_SERVERS.map((server) => own('NS', server))])
  }

  static #blank(zone: string) {
    const [id, at] = [++ids, now()]
    const times = { created_at: at, updated_at: at }
    const rest = { content: '', ttl: DEFAULT_TTL, priority: null, type: '', regions: ['global'] }
    return { id, zone_id: zone, parent_id: null, name: '', ...rest, system_record: false, ...times }
  }

  shown(account: string) {
    const times = { created_at: this.#createdAt, updated_at: this.#createdAt }
    const more = { reverse: false, secondary: false, last_transferred_at: null, active: true }
    return { id: this.id, account_id: Number(account), name: this.name, ...more, ...times }
  }

  post(body: unknown): DnsimpleRecord {
    return this.put(this.#judge(DnsimpleZone.#blank(this.name), body))
  }

  /** What the body doesn't say stays; the type stays always. */
  patch(id: string, body: unknown): DnsimpleRecord {
    const old = this.#editable(id)
    const { type: _, ...given } = isBody(body) ? body : {}
    return this.put(this.#judge({ ...old, updated_at: now() }, { ...old, ...given }))
  }

  override delete(id: string): void {
    super.delete(this.#editable(id).id)
  }

  #editable(id: string): DnsimpleRecord {
    const found = this.get(id)
    if (found.system_record) throw failure(400, 'System records cannot be changed')
    return found
  }

  #judge(base: DnsimpleRecord, body: unknown): DnsimpleRecord {
    if (!isBody(body)) throw failure(400, 'Validation failed')
    const { name, type, content, ttl = DEFAULT_TTL, priority, regions = ['global'] }: Body = body
    if (typeof type !== 'string' || !TYPES.has(type)) throw invalid({ type: ['unsupported'] })
    if (typeof name !== 'string') throw invalid({ name: ["can't be nil"] })
    if (name !== '' && !isLabels(name.toLowerCase())) throw invalid({ name: ['is invalid'] })
    if (typeof content !== 'string' || content === '') throw invalid({ content: ["can't be blank"] })
    if (!isInteger(ttl, 1, MAX_TTL)) throw invalid({ ttl: ['must be greater than 0'] })
    const isNumbered = type === 'MX' || type === 'SRV'
    if (isNumbered && !isInteger(priority ?? 0, 0, 65_535)) throw invalid({ priority: ['is not a number'] })
    const kept = contentOf(type, content)
    if (kept === null) throw invalid({ content: ['is invalid'] })
    return {
      ...base,
      name,
      type,
      content: kept,
      ttl,
      priority: isNumbered ? Number(priority ?? 0) : null,
      regions: Array.isArray(regions) ? regions.map(String) : ['global'],
    }
  }
}

/** As DNSimple keeps it: a TXT in quotes, whether it came with them or without; null: the type has none such. */
function contentOf(type: string, content: string): string | null {
  if (type === 'A' || type === 'AAAA') return isAddress(type, content) ? content : null
  if (type === 'TXT' || type === 'SPF') {
    const quoted = readQuoted(content) === null ? rdataOfText(content) : content
    return quoted.length <= MAX_TEXT ? quoted : null
  }
  if (type === 'URL') return content
  const bare = content.replace(/([^ ])\.$/, '$1')
  if (TARGETS.has(type)) return bare === '.' || isTarget(bare) ? bare : null
  if (type !== 'SRV') return isData(type, content) ? content : null
  const [, target] = /^\d{1,5} \d{1,5} (\S+)$/.exec(bare) ?? []
  return target === '.' || isTarget(target) ? bare : null
}

type DnsimpleCall = Call<DnsimpleZone, Keys>
type Keys = { account: string; token: string; readToken: string }

function page(query: URLSearchParams, all: unknown[]): SimulatorAnswer {
  const found = pageOf(all, query, PAGES)
  if (found === null) throw failure(400, 'Invalid pagination parameters')
  const pagination = {
    current_page: found.page,
    per_page: found.size,
    total_entries: all.length,
    total_pages: found.pages,
  }
  return json(200, { data: found.items, pagination })
}

/** The zone, in the account that the path names. */
function zoneOf(call: DnsimpleCall): DnsimpleZone {
  inAccount(call)
  return call.zone
}

/** Another account's number is answered as one that is not there. */
function inAccount({ params, sim }: DnsimpleCall): void {
  if (params['account'] !== sim.account) throw missing('Account', params['account'] ?? '')
}

const contains = (text: string, part: string | null) => part === null || text.includes(part)

/** DNSimple's API v2, with the token of an account. */
export default defineDialect({
  path: '/v2',
  keys: (): Keys => ({ account: '1010', token: `dnsimple_a_${hexKey(16)}`, readToken: hexKey(16) }),
  newZone: (name) => new DnsimpleZone(name),
  zoneKey: ({ name, id }) => [name, String(id)],
  headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
  authenticate: (request, { token, readToken }) => {
    const given = bearerOf(request)
    if (given !== token && given !== readToken) throw unauthorized
    if (given === readToken && isWrite(request)) throw forbidden
  },
  limits: [
    {
      option: 'hourly',
      seconds: 3600,
      usual: 1_000_000,
      refuse: () => tooMany,
      headers: (rate, count) => rateHeaders(rate, count, 'x-'),
    },
  ],
  routes: {
    'GET /whoami': ({ sim }) =>
      json(200, {
        data: {
          user: null,
          account: {
            id: Number(sim.account),
            email: 'account@example.com',
            plan_identifier: 'teams-v1-monthly',
          },
        },
      }),
    'GET /accounts': ({ sim }) =>
      json(200, {
        data: [
          { id: Number(sim.account), email: 'account@example.com', plan_identifier: 'teams-v1-monthly' },
        ],
      }),
    'GET /:account/zones': (call) => {
      inAccount(call)
      const wanted = call.zones.filter(({ name }) => contains(name, call.query.get('name_like')))
      return page(
        call.query,
        wanted.map((zone) => zone.shown(call.sim.account)),
      )
    },
    'GET /:account/zones/:zone': (call) => json(200, { data: zoneOf(call).shown(call.sim.account) }),
    'POST /:account/domains': (call) => {
      inAccount(call)
      const name = isBody(call.body) ? call.body['name'] : undefined
      if (!isZoneName(name)) throw invalid({ name: ['is an invalid domain'] })
      if (call.sim.zones.has(name)) throw invalid({ name: ['has already been taken'] })
      const { id, account_id, created_at, updated_at } = call.sim.createZone(name).shown(call.sim.account)
      const more = { registrant_id: null, unicode_name: name, state: 'hosted', auto_renew: false }
      return json(201, {
        data: { id, account_id, name, ...more, private_whois: false, created_at, updated_at },
      })
    },
    'DELETE /:account/domains/:zone': (call) => {
      call.sim.deleteZone(zoneOf(call).name)
      return { status: 204 }
    },
    'GET /:account/zones/:zone/records': (call) => {
      const { query } = call
      const [name, type] = [query.get('name'), query.get('type')]
      const wanted = zoneOf(call).records.filter(
        (record) =>
          (name ?? record.name) === record.name &&
          (type ?? record.type) === record.type &&
          contains(record.name, query.get('name_like')),
      )
      return page(query, wanted)
    },
    'POST /:account/zones/:zone/records': (call) => json(201, { data: zoneOf(call).post(call.body) }),
    'GET /:account/zones/:zone/records/:id': (call) => json(200, { data: zoneOf(call).get(call.id) }),
    'PATCH /:account/zones/:zone/records/:id': (call) =>
      json(200, { data: zoneOf(call).patch(call.id, call.body) }),
    'DELETE /:account/zones/:zone/records/:id': (call) => {
      zoneOf(call).delete(call.id)
      return { status: 204 }
    },
  },
  errors: {
    noRoute: failure(404, 'Not found'),
    noZone: ({ params }) => missing('Zone', params['zone'] ?? ''),
    notAllowed: failure(405, 'Method not allowed'),
    badJson: failure(400, 'Problems parsing JSON'),
  },
  suite: {
    credentials: ({ token }) => ({ apiToken: token }),
    secret: 'apiToken',
    wrong: `dnsimple_a_${'7f3a'.repeat(8)}`,
    seed: (zone, records) => {
      for (const { name, type, value, ttl } of records) {
        const { content, priority = null } = splitContent(type, value)
        const kept = type === 'TXT' ? typeOf('TXT').write(value) : content
        zone.post({ type, name: atAsEmpty(name), content: kept, priority, ttl })
      }
    },
    held: (zone) =>
      zone.added.map(({ name, type, content, priority, ttl }) => ({
        name: emptyAsAt(name),
        type,
        ttl,
        rdata: type === 'TXT' ? content : joinContent(type, content, priority ?? 0, zone.name),
      })),
    foreign: (zone) => {
      zone.post({ type: 'URL', name: 'foreign', content: 'https://example.net/', ttl: 3600 })
      zone.post({ type: 'A', name: 'foreign', content: '192.0.2.1', ttl: 3600 })
      return () => zone.lasting
    },
    faults: {
      unauthorized,
      forbidden,
      rateLimited: tooMany,
      failure: failure(500, 'Internal server error'),
      refused: (reason) => invalid({ base: [reason] }),
    },
  },
})
