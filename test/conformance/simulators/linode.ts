import { typeOf } from '../../../dns/types/index.ts'
import { Refused, bearerOf, isBody, json, parse, rateHeaders, type Body } from './answers.ts'
import { hexKey, isAddress, isInteger, isLabels, isPort, isTarget, isZoneName } from './checks.ts'
import { atAsEmpty, emptyAsAt, joinData, splitData } from './rdata.ts'
import { RecordZone } from './record-zone.ts'
import { isWrite, type SimulatorAnswer, type SimulatorRequest } from './server.ts'
import { defineDialect, type NewRecord } from './dialect.ts'

interface LinodeRecord {
  id: number
  type: string
  /** Relative to the domain, '' for the apex; of SRV made of service and protocol. */
  name: string
  /** Names without the final dot. */
  target: string
  priority: number
  weight: number
  port: number
  /** With an underscore, which is sent without. */
  service: string | null
  /** With an underscore, which is sent without. */
  protocol: string | null
  /** Seconds; 0: Linode's default. */
  ttl_sec: number
  /** Of CAA, which has no flags. */
  tag: string | null
  created: string
  updated: string
}

const TYPES = new Set(['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SRV', 'TXT'])
const TTLS = [
  0, 300, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 172_800, 345_600, 604_800, 1_209_600, 2_419_200,
]
const PROTOCOLS = ['tcp', 'udp', 'xmpp', 'tls', 'smtp']
const PAGES = { size: 100, least: 25, most: 500 }
const SHOWN = { tags: [], group: '', status: 'active', errors: '', description: '' }
const SOA = { retry_sec: 0, master_ips: [], axfr_ips: [], expire_sec: 0, refresh_sec: 0, ttl_sec: 0 }

const failure = (status: number, reason: string, field?: string) =>
  new Refused(json(status, { errors: [{ reason, ...(field !== undefined && { field }) }] }))
const invalid = (field: string, reason: string) => failure(400, reason, field)
const notFound = failure(404, 'Not found')
const unauthorized = failure(401, 'Invalid Token')
const forbidden = failure(403, 'Unauthorized')
const tooMany = failure(429, 'Too many requests')

const RULES = {
  id: 'id',
  name: 'name',
  type: 'type',
  missing: () => notFound,
  clash: () => invalid('name', 'hostname cannot be the same as another record when type is CNAME'),
} as const

const now = () => new Date().toISOString().slice(0, 19)
let domainIds = 1_065_420
let ids = 9_295_231

/** Linode's own NS are not among its records. */
class LinodeDomain extends RecordZone<LinodeRecord> {
  readonly id = ++domainIds
  readonly type: 'master' | 'slave'
  readonly #createdAt = now()
  readonly #soaEmail: string
  readonly #losesTtl: boolean

  constructor(name: string, { type, soa_email: email = `admin@${name}` }: Body, { losesTtl }: Body) {
    super(name, RULES)
    this.type = type === 'slave' ? type : 'master'
    this.#soaEmail = String(email)
    this.#losesTtl = losesTtl === true
  }

  get shown() {
    const place = { id: this.id, type: this.type, domain: this.name, soa_email: this.#soaEmail }
    return { ...place, ...SHOWN, ...SOA, created: this.#createdAt, updated: this.#createdAt }
  }

  /** A record that is there already is made once more. */
  post(body: unknown): LinodeRecord {
    const made = { id: ++ids, ...this.#judge(body), created: now(), updated: now() }
    return this.put(this.#losesTtl ? { ...made, ttl_sec: 0 } : made)
  }

  /** What the body doesn't say stays; the type stays always. */
  update(id: string, body: unknown): LinodeRecord {
    const old = this.get(id)
    if (!isBody(body)) throw failure(400, 'Invalid JSON')
    if (body['type'] !== undefined && body['type'] !== old.type)
      throw invalid('type', 'The type cannot be changed')
    const bare = (label: string | null) => label?.replace(/^_/, '') ?? null
    const labels = { service: bare(old.service), protocol: bare(old.protocol) }
    const kept = { ...old, ...labels, ...(old.type === 'SRV' && { name: '' }) }
    return this.put({ ...old, ...this.#judge({ ...kept, ...body }), updated: now() })
  }

  #judge(body: unknown): Omit<LinodeRecord, 'id' | 'created' | 'updated'> {
    if (!isBody(body)) throw failure(400, 'Invalid JSON')
    if (this.type === 'slave') throw failure(400, 'Records of a slave domain cannot be changed')
    const { type, name = '', target } = body
    if (typeof type !== 'string' || !TYPES.has(type)) throw invalid('type', 'Not a valid record type')
    if (name !== '' && !isLabels(name)) throw invalid('name', 'Invalid hostname')
    if (type === 'NS' && name === '') throw invalid('name', "Linode's name servers cannot be changed")
    if (type === 'CNAME' && name === '') throw invalid('name', 'A CNAME cannot be at the root of a domain')
    if (typeof target !== 'string') throw invalid('target', 'target is required')
    const isSrv = type === 'SRV'
    const numberOf = (field: string, isNeeded: boolean) => {
      const value = body[field] ?? (isNeeded ? undefined : 0)
      if (!isPort(value)) throw invalid(field, 'Must be 0-65535')
      return value
    }
    const { service, protocol } = isSrv ? serviceOf(body) : { service: null, protocol: null }
    return {
      type,
      name: isSrv ? `${service}.${protocol}` : name,
      target: targetOf(type, target),
      priority: numberOf('priority', type === 'MX' || isSrv),
      weight: numberOf('weight', isSrv),
      port: numberOf('port', isSrv),
      service,
      protocol,
      ttl_sec: ttlOf(body['ttl_sec'] ?? 0),
      tag: type === 'CAA' ? tagOf(body['tag']) : null,
    }
  }
}

/** There is no SRV below another name than the domain's. */
function serviceOf({ service, protocol, name = '' }: Body): { service: string; protocol: string } {
  if (typeof service !== 'string' || !/^[a-z0-9-]+$/i.test(service))
    throw invalid('service', 'Must be letters, digits and hyphens; an underscore is prepended')
  if (typeof protocol !== 'string' || !PROTOCOLS.includes(protocol))
    throw invalid('protocol', `Please select a valid protocol ('${PROTOCOLS.join("', '")}')`)
  if (name !== '' && name !== `_${service}._${protocol}`)
    throw invalid('name', 'SRV has no name but its service and protocol')
  return { service: `_${service}`, protocol: `_${protocol}` }
}

function tagOf(tag: unknown): string {
  if (typeof tag !== 'string' || !['issue', 'issuewild', 'iodef'].includes(tag))
    throw invalid('tag', 'Must be issue, issuewild or iodef')
  return tag
}

/** The next longer one that there is. */
function ttlOf(ttl: unknown): number {
  const taken = TTLS.find((one) => one >= Number(ttl))
  if (!isInteger(ttl, 0, Infinity) || taken === undefined)
    throw invalid('ttl_sec', `Must be one of ${TTLS.join(', ')}`)
  return taken
}

function targetOf(type: string, target: string): string {
  const refuse = (reason: string) => invalid('target', reason)
  if (!isAddress(type, target)) throw refuse('Must be a valid IP address')
  if (type === 'TXT' && target === '') throw refuse('target is required')
  if (type === 'CAA' && (target === '' || /[\s;]/.test(target))) throw refuse('Must be a valid domain')
  if (['A', 'AAAA', 'TXT', 'CAA'].includes(type)) return target
  // An empty target is the null MX.
  if (type === 'MX' && target === '') return target
  const bare = target.replace(/\.$/, '')
  if (!isTarget(bare)) throw refuse('Must be a valid domain')
  return bare
}

/** The items whose fields are exactly as the header X-Filter says. */
function filtered(request: SimulatorRequest, all: object[], fields: string[]): object[] {
  const header = request.headers['x-filter']
  if (header === undefined) return all
  const filter = parse({ ...request, body: String(header) }, invalid('X-Filter', 'Invalid filter').answer)
  if (!isBody(filter) || Object.keys(filter).some((field) => !fields.includes(field)))
    throw invalid('X-Filter', 'Cannot filter on this')
  const wanted = Object.entries(filter)
  return all.filter((item) => wanted.every(([field, value]) => Reflect.get(item, field) === value))
}

function page(request: SimulatorRequest, all: object[], fields: string[]): SimulatorAnswer {
  const { query } = request
  const size = Number(query.get('page_size') ?? PAGES.size)
  if (!isInteger(size, PAGES.least, PAGES.most))
    throw invalid('page_size', `Must be ${PAGES.least}-${PAGES.most}`)
  const found = filtered(request, all, fields)
  const [at, pages] = [Number(query.get('page') ?? 1), Math.max(1, Math.ceil(found.length / size))]
  if (!isInteger(at, 1, Infinity)) throw invalid('page', 'Must be 1 or greater')
  if (at > pages) throw notFound
  const data = found.slice((at - 1) * size, at * size)
  return json(200, { data, page: at, pages, results: found.length })
}

function bodyOf({ name, type, value, ttl }: NewRecord): Body {
  const { data, ...numbers } = splitData(type, value)
  const given = { type, ttl_sec: ttl ?? 0, ...numbers, target: type === 'MX' && data === '.' ? '' : data }
  if (type === 'SRV') {
    const [service, protocol] = name.split('.').map((label) => label.replace(/^_/, ''))
    return { ...given, service, protocol }
  }
  const { tag, value: text } = typeOf(type).toData(value)
  return { ...given, name: atAsEmpty(name), ...(type === 'CAA' && { tag, target: text }) }
}

/**
 * Linode's API v4. Of the real one 200 to 1600 calls are taken in a minute. `losesTtl`: a record that is made has the
 * default TTL, whatever was sent, as a client once found it.
 */
export default defineDialect({
  path: '/v4',
  keys: () => ({ token: hexKey(32), readToken: hexKey(32) }),
  newZone: (name, given, options) => new LinodeDomain(name, given, options),
  headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
  authenticate: (request, { token, readToken }) => {
    const given = bearerOf(request)
    if (given !== token && given !== readToken) throw unauthorized
    if (given === readToken && isWrite(request)) throw forbidden
  },
  zoneKey: ({ id }) => String(id),
  limits: [
    {
      option: 'rate',
      seconds: 60,
      usual: 1_000_000,
      // A refusal does not say how long to wait.
      refuse: (_, { calls }) => ({ ...tooMany.answer, headers: { 'x-ratelimit-limit': String(calls) } }),
      // Each answer says when the limit starts again, also by Retry-After.
      headers: (rate, count) => ({
        ...rateHeaders(rate, count, 'x-'),
        'retry-after': String(Math.max(1, Math.ceil((count.resetMs - Date.now()) / 1000))),
      }),
    },
  ],
  routes: {
    'GET /profile': () => json(200, { username: 'somebody', restricted: false }),
    'GET /domains': ({ request, zones }) =>
      page(
        request,
        zones.map(({ shown }) => shown),
        ['domain', 'type', 'group', 'tags'],
      ),
    'POST /domains': ({ body, sim }) => {
      const given = isBody(body) ? body : {}
      const { domain: name, type, soa_email: email } = given
      if (!isZoneName(name)) throw invalid('domain', 'Domain is not valid')
      if (type !== 'master' && type !== 'slave') throw invalid('type', 'type is required')
      if (type === 'master' && (typeof email !== 'string' || !email.includes('@')))
        throw invalid('soa_email', 'soa_email required when type=master')
      if (sim.zones.has(name)) throw invalid('domain', 'DNS zone already exists.')
      return json(200, sim.createZone(name, given).shown)
    },
    'GET /domains/:zone': ({ zone }) => json(200, zone.shown),
    'DELETE /domains/:zone': ({ zone, sim }) => {
      sim.deleteZone(zone.name)
      return json(200, {})
    },
    'GET /domains/:zone/records': ({ zone, request }) =>
      page(request, zone.records, ['name', 'type', 'target', 'tag']),
    'POST /domains/:zone/records': ({ zone, body }) => json(200, zone.post(body)),
    'GET /domains/:zone/records/:id': ({ zone, id }) => json(200, zone.get(id)),
    'PUT /domains/:zone/records/:id': ({ zone, id, body }) => json(200, zone.update(id, body)),
    'DELETE /domains/:zone/records/:id': ({ zone, id }) => {
      zone.delete(id)
      return json(200, {})
    },
  },
  errors: {
    noRoute: notFound,
    notAllowed: failure(405, 'Method Not Allowed'),
    badJson: failure(400, 'Invalid JSON'),
  },
  suite: {
    credentials: ({ token }) => ({ apiToken: token }),
    secret: 'apiToken',
    wrong: '7f3a'.repeat(16),
    missingZone: { id: '999999999', name: 'missing.test' },
    seed: (domain, records) => {
      for (const record of records) domain.post(bodyOf(record))
    },
    held: (domain) =>
      domain.records.map(({ name, type, target, tag, ttl_sec: ttl, ...numbers }) => ({
        name: emptyAsAt(name),
        type,
        ttl: ttl === 0 ? null : ttl,
        rdata:
          type === 'CAA'
            ? `0 ${tag} "${target}"`
            : joinData(
                type,
                { ...numbers, data: type === 'MX' && target === '' ? '.' : target },
                domain.name,
              ),
      })),
    faults: {
      unauthorized,
      forbidden,
      rateLimited: tooMany,
      failure: failure(500, 'Internal Server Error'),
      refused: (reason) => invalid('target', reason),
    },
  },
})
