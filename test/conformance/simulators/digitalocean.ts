import { typeOf } from '../../../dns/types/index.ts'
import { Refused, bearerOf, isBody, json, pageOf, rateHeaders, type Body } from './answers.ts'
import { MAX_TTL, hexKey, isAddress, isInteger, isZoneName } from './checks.ts'
import { joinData, splitData, withZone } from './rdata.ts'
import { RecordZone } from './record-zone.ts'
import { isWrite, type SimulatorAnswer, type SimulatorRequest } from './server.ts'
import { defineDialect, type NewRecord } from './dialect.ts'

interface DigitalOceanRecord {
  id: number
  type: string
  /** Relative to the domain, `@` for the apex. */
  name: string
  /** Names without the final dot; `@` for the domain itself, where it was sent so. */
  data: string
  priority: number | null
  port: number | null
  /** Seconds. */
  ttl: number
  weight: number | null
  flags: number | null
  tag: string | null
}

const TYPES = new Set(['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SOA', 'SRV', 'TXT'])
const DEFAULT_TTL = 1800
const MIN_TTL = 30
const MAX_TEXT = 512
const PAGES = { size: 20, most: 200 }
const NAME_SERVERS = ['ns1.digitalocean.com', 'ns2.digitalocean.com', 'ns3.digitalocean.com']
const NO_FIELDS = { priority: null, port: null, weight: null, flags: null, tag: null }
const NUMBERS = { priority: 65_535, port: 65_535, weight: 65_535, flags: 255 }

/** The numbers that each type must have beside its data. */
const FIELDS: Record<string, string[]> = {
  MX: ['priority'],
  SRV: ['priority', 'port', 'weight'],
  CAA: ['flags'],
}
const ACCOUNT = {
  droplet_limit: 25,
  email: 'user@example.com',
  uuid: 'b6fr89dbf6d9156cace5f3c78dc9851d957381ef',
  email_verified: true,
  status: 'active',
  status_message: '',
}

const failure = (status: number, id: string, message: string, headers: Record<string, string> = {}) =>
  new Refused(json(status, { id, message }, headers))
const unprocessable = (message: string) => failure(422, 'unprocessable_entity', message)
const notFound = failure(404, 'not_found', 'The resource you were accessing could not be found.')
const unauthorized = failure(401, 'unauthorized', 'Unable to authenticate you.')
const forbidden = failure(403, 'forbidden', 'You are not authorized to perform this operation')
const tooMany = (headers: Record<string, string> = {}) =>
  failure(429, 'too_many_requests', 'API rate limit exceeded.', headers)

const RULES = {
  id: 'id',
  name: 'name',
  type: 'type',
  missing: () => notFound,
  clash: () => unprocessable('CNAME records cannot share a name with other records'),
} as const

let ids = 11_189_873

class DigitalOceanDomain extends RecordZone<DigitalOceanRecord> {
  constructor(name: string) {
    const own = (type: string, data: string): DigitalOceanRecord => ({
      id: ++ids,
      type,
      name: '@',
      data,
      ttl: DEFAULT_TTL,
      ...NO_FIELDS,
    })
    super(name, RULES, [own('SOA', String(DEFAULT_TTL)), ...NAME_SERVERS.map((data) => own('NS', data))])
  }

  get shown() {
    const soa = `${this.name}. IN SOA ns1.digitalocean.com. hostmaster.${this.name}. 1583891130 10800 3600 604800 1800`
    return { name: this.name, ttl: 1800, zone_file: `$ORIGIN ${this.name}.\n$TTL 1800\n${soa}\n` }
  }

  /** A record that is there already is made once more. */
  post(body: unknown): DigitalOceanRecord {
    if (!isBody(body)) throw unprocessable('Invalid JSON')
    if (body['type'] === 'SOA') throw unprocessable('SOA records cannot be created')
    return this.put(this.#judge(++ids, body))
  }

  /** What the body doesn't say stays. With PUT names must end in a dot again, though they are shown without. */
  update(id: string, body: unknown, { method }: SimulatorRequest): DigitalOceanRecord {
    if (!isBody(body)) throw unprocessable('Invalid JSON')
    const old = this.get(id)
    // Only the TTL of a SOA can be changed.
    if (old.type === 'SOA') return this.put({ ...old, ttl: ttlOf(body['ttl'] ?? old.ttl) })
    const isBare = method === 'PATCH' && endsInDot(old.type, old.tag) && old.data !== '@'
    const data = isBare ? old.data.replace(/\.?$/, '.') : old.data
    return this.put(this.#judge(old.id, { ...old, data, ...body }))
  }

  override delete(id: unknown): void {
    if (this.get(id).type === 'SOA') throw unprocessable('SOA records cannot be deleted')
    super.delete(id)
  }

  #judge(id: number, body: Body): DigitalOceanRecord {
    const type = String(body['type'])
    if (!TYPES.has(type)) throw unprocessable('Record type is not valid')
    const tag = type === 'CAA' ? String(body['tag']) : null
    if (tag !== null && !['issue', 'issuewild', 'iodef'].includes(tag))
      throw unprocessable('Tag is not valid')
    const numberOf = (field: keyof typeof NUMBERS) => {
      if (FIELDS[type]?.includes(field) !== true) return null
      const value = body[field]
      if (!isInteger(value, 0, NUMBERS[field]))
        throw unprocessable(`${field[0]?.toUpperCase()}${field.slice(1)} is not valid`)
      return value
    }
    return {
      id,
      type,
      name: this.#relative(body['name'] ?? '@'),
      data: dataOf(type, tag, body['data']),
      priority: numberOf('priority'),
      port: numberOf('port'),
      ttl: ttlOf(body['ttl'] ?? DEFAULT_TTL),
      weight: numberOf('weight'),
      flags: numberOf('flags'),
      tag,
    }
  }

  /** Whatever has no final dot is taken for relative, also the whole name. */
  #relative(name: unknown): string {
    if (typeof name !== 'string' || name === '') throw unprocessable("Name can't be blank")
    const plain = name.toLowerCase()
    if (plain === '@' || plain === `${this.name}.`) return '@'
    const relative = plain.endsWith(`.${this.name}.`) ? plain.slice(0, -this.name.length - 2) : plain
    if (!/^(\*|[a-z0-9_-]+)(\.[a-z0-9_*-]+)*$/.test(relative)) throw unprocessable('Name is not valid')
    return relative
  }
}

/** Whether the data is a name, which is sent with a final dot. */
const endsInDot = (type: string, tag: string | null): boolean =>
  ['CNAME', 'MX', 'NS', 'SRV'].includes(type) || (type === 'CAA' && tag !== 'iodef')

function dataOf(type: string, tag: string | null, data: unknown): string {
  if (typeof data !== 'string' || data === '') throw unprocessable("Data can't be blank")
  if (!isAddress(type, data)) throw unprocessable('IP address is not valid')
  if (type === 'TXT' && (data.includes('\\') || data.length > MAX_TEXT))
    throw unprocessable('Data is not valid for a TXT record')
  if (!endsInDot(type, tag) || data === '@') return data
  if (!data.endsWith('.')) throw unprocessable('Data needs to end with a dot (.)')
  return data === '.' ? data : data.slice(0, -1)
}

function ttlOf(ttl: unknown): number {
  if (!isInteger(ttl, MIN_TTL, MAX_TTL)) throw unprocessable(`TTL must be at least ${MIN_TTL}`)
  return ttl
}

/** The last page has neither `next` nor `last`, the first neither `first` nor `prev`, and one alone no `pages`. */
function page(request: SimulatorRequest, collection: string, all: unknown[]): SimulatorAnswer {
  const found = pageOf(all, request.query, PAGES)
  if (found === null) throw failure(400, 'bad_request', `per_page must be between 1 and ${PAGES.most}`)
  const link = (number: number) => {
    const query = new URLSearchParams(request.query)
    query.set('page', String(number))
    return `http://${String(request.headers.host)}${request.path}?${query.toString()}`
  }
  const { items, page: at, pages: last } = found
  const links = {
    ...(at > 1 && { first: link(1), prev: link(at - 1) }),
    ...(at < last && { next: link(at + 1), last: link(last) }),
  }
  const pages = last > 1 ? { pages: links } : {}
  return json(200, { [collection]: items, links: pages, meta: { total: all.length } })
}

function bodyOf({ name, type, value, ttl }: NewRecord): Body {
  const { flags, tag, value: text } = typeOf(type).toData(value)
  if (type === 'CAA' && typeof text === 'string')
    return { type, name, ttl, flags, tag, data: tag === 'iodef' ? text : `${text}.` }
  const split = splitData(type, value)
  // What is shown without the final dot is sent with it.
  const isName = ['CNAME', 'MX', 'NS', 'SRV'].includes(type) && split.data !== '.'
  return { type, name, ttl, ...split, ...(isName && { data: `${split.data}.` }) }
}

/** DigitalOcean's API v2. Of the real one 5000 calls are taken in an hour, and 250 in a minute. */
export default defineDialect({
  path: '/v2',
  keys: () => ({ token: `dop_v1_${hexKey(32)}`, readToken: `dop_v1_${hexKey(32)}` }),
  newZone: (name) => new DigitalOceanDomain(name),
  headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
  authenticate: (request, { token, readToken }) => {
    const given = bearerOf(request)
    if (given !== token && given !== readToken) throw unauthorized
    if (given === readToken && isWrite(request)) throw forbidden
  },
  limits: [
    { option: 'hourly', seconds: 3600, usual: 1_000_000, refuse: () => tooMany(), headers: rateHeaders },
    // Only this one says how long to wait.
    { option: 'burst', seconds: 60, refuse: (wait) => tooMany({ 'retry-after': String(wait) }) },
  ],
  routes: {
    'GET /account': () => json(200, { account: ACCOUNT }),
    'GET /domains': ({ request, zones }) =>
      page(
        request,
        'domains',
        zones.map(({ shown }) => shown),
      ),
    'POST /domains': ({ body, sim }) => {
      const name = isBody(body) ? body['name'] : undefined
      if (!isZoneName(name)) throw unprocessable('Name is not valid')
      if (sim.zones.has(name)) throw unprocessable('Name already exists')
      // The text of the zone comes later.
      return json(201, { domain: { ...sim.createZone(name).shown, zone_file: null } })
    },
    'GET /domains/:zone': ({ zone }) => json(200, { domain: zone.shown }),
    'DELETE /domains/:zone': ({ zone, sim }) => {
      sim.deleteZone(zone.name)
      return { status: 204 }
    },
    'GET /domains/:zone/records': ({ zone, query, request }) => {
      const [name, type] = [query.get('name'), query.get('type')]
      const wanted = zone.records.filter(
        (record) =>
          // Asked for by the whole name, and not by the one that is shown.
          (name === null || name.toLowerCase() === withZone(record.name, zone.name)) &&
          (type ?? record.type) === record.type,
      )
      return page(request, 'domain_records', wanted)
    },
    'POST /domains/:zone/records': ({ zone, body }) => json(201, { domain_record: zone.post(body) }),
    'GET /domains/:zone/records/:id': ({ zone, id }) => json(200, { domain_record: zone.get(id) }),
    'PUT /domains/:zone/records/:id': ({ zone, id, body, request }) =>
      json(200, { domain_record: zone.update(id, body, request) }),
    'PATCH /domains/:zone/records/:id': ({ zone, id, body, request }) =>
      json(200, { domain_record: zone.update(id, body, request) }),
    'DELETE /domains/:zone/records/:id': ({ zone, id }) => {
      zone.delete(id)
      return { status: 204 }
    },
  },
  errors: {
    noRoute: notFound,
    notAllowed: failure(405, 'method_not_allowed', 'The method is not allowed'),
    badJson: failure(400, 'bad_request', 'Error parsing the JSON in the request body'),
  },
  suite: {
    credentials: ({ token }) => ({ apiToken: token }),
    secret: 'apiToken',
    wrong: `dop_v1_${'7f3a'.repeat(16)}`,
    seed: (domain, records) => {
      for (const record of records) domain.post(bodyOf(record))
    },
    held: (domain) =>
      domain.added.map((record) => ({
        name: record.name,
        type: record.type,
        ttl: record.ttl,
        rdata:
          record.type === 'CAA'
            ? `${record.flags} ${record.tag} "${record.data}"`
            : joinData(record.type, record, domain.name),
      })),
    faults: {
      unauthorized,
      forbidden,
      rateLimited: tooMany(),
      failure: failure(500, 'server_error', 'Unexpected server-side error'),
      refused: unprocessable,
    },
  },
})
