import { readType, typeOf } from '../../../dns/types/index.ts'
import { CallRate, Refused, isBody, json, type Body } from './answers.ts'
import { hexKey } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import { atAsEmpty, emptyAsAt, inZone } from './rdata.ts'
import type { SimulatorAnswer, SimulatorRequest } from './server.ts'

interface DesecRRset {
  created: string
  domain: string
  /** '' for the apex. */
  subname: string
  /** With the final dot. */
  name: string
  type: string
  records: string[]
  /** Seconds. */
  ttl: number
  touched: string
}

type Method = 'POST' | 'PUT' | 'PATCH'
/** Reasons by field. */
type Errors = Record<string, string[]>

/** Documented as supported. */
const TYPES = new Set(
  (
    'A AAAA AFSDB APL CAA CDNSKEY CDS CERT CNAME DHCID DNAME DNSKEY DLV DS EUI48 EUI64 HINFO HTTPS KX LOC MX NAPTR NS ' +
    'OPENPGPKEY PTR RP SMIMEA SPF SRV SSHFP SVCB TLSA TXT URI'
  ).split(' '),
)
/** Made by the server alone. */
const MANAGED = new Set(['SOA', 'RRSIG', 'NSEC3PARAM'])
const SUBNAME = /^((\*|[a-z0-9_-]+)(\.[a-z0-9_-]+)*)?$/
const MAX_TTL = 86_400
const MAX_RECORDS = 4091
const MAX_LENGTH = 64_000

const keyOf = ({ subname, type }: { subname: string; type: string }) => `${subname} ${type}`
const nonField = (message: string): Errors => ({ non_field_errors: [message] })

/** One domain, with the checks that deSEC makes when it is changed. */
class DesecDomain {
  readonly name: string
  readonly created = now()
  /** Seconds; support lowers it on demand. */
  readonly minimumTtl: number
  touched = this.created
  #rrsets = new Map<string, DesecRRset>()

  constructor(name: string, { minimumTtl = 3600 }: Body) {
    this.name = name
    this.minimumTtl = Number(minimumTtl)
    const records = ['ns1.desec.io.', 'ns2.desec.org.']
    this.#put({ subname: '', type: 'NS', records, ttl: this.minimumTtl })
  }

  /** Copies, the newest first. */
  get rrsets(): DesecRRset[] {
    return structuredClone([...this.#rrsets.values()].toReversed())
  }

  get(subname: string, type: string): DesecRRset | null {
    return structuredClone(this.#rrsets.get(keyOf({ subname, type })) ?? null)
  }

  /** One or many, all or nothing. Answers what is there afterwards. Throws Refused. */
  write(method: Method, body: unknown): DesecRRset[] {
    const items = Array.isArray(body) ? body : [body]
    const before = new Map(this.#rrsets)
    const repeated = repeats(items)
    const judged = items.map((item, i) => repeated[i] ?? this.#judge(method, item))
    const wrong = judged.map((result) => ('errors' in result ? result.errors : {}))
    if (wrong.every(isFine)) {
      // Which of them clash is seen when all are in place.
      for (const result of judged) if ('rrset' in result) this.#put(result.rrset)
      for (const [i, result] of judged.entries())
        if ('rrset' in result) wrong[i] = this.#conflict(result.rrset) ?? {}
    }
    if (!wrong.every(isFine)) {
      this.#rrsets = before
      throw new Refused(json(400, Array.isArray(body) ? wrong : wrong[0]))
    }
    this.touched = now()
    return judged.flatMap((result) => {
      const found = 'rrset' in result ? this.get(result.rrset.subname, result.rrset.type) : null
      return found === null ? [] : [found]
    })
  }

  delete(subname: string, type: string): void {
    this.#rrsets.delete(keyOf({ subname, type }))
    this.touched = now()
  }

  /** What the write makes of one set. */
  #judge(method: Method, item: unknown): { rrset: Written } | { errors: Errors } {
    if (!isBody(item)) return { errors: nonField('Invalid data. Expected a dictionary.') }
    const { subname = '', type } = item
    const required = method === 'PATCH' ? ['type'] : ['type', 'records', 'ttl']
    const missing = required.filter((field) => item[field] === undefined)
    if (typeof type !== 'string' || typeof subname !== 'string' || missing.length > 0)
      return { errors: needed(missing) }
    if (!SUBNAME.test(subname) || subname.length > 178) return { errors: { subname: [SUBNAME_RULE] } }
    if (MANAGED.has(type)) return { errors: { type: [`You cannot tinker with the ${type} RRset.`] } }
    if (!TYPES.has(type)) return { errors: { type: [`The ${type} RRset type is currently unsupported.`] } }
    const old = this.#rrsets.get(keyOf({ subname, type }))
    if (method === 'POST' && old !== undefined) return { errors: nonField(DUPLICATE) }
    const { records = old?.records, ttl = old?.ttl } = item
    if (Array.isArray(records) && records.length === 0 && method !== 'POST')
      return { rrset: { subname, type, records: [], ttl: 0 } }
    if (records === undefined || ttl === undefined)
      return { errors: needed(['records', 'ttl'].filter((field) => item[field] === undefined)) }
    const errors = this.#wrongTtl(ttl) ?? this.#wrongRecords(type, subname, records)
    if (errors !== null) return { errors }
    const written = new Set((records as string[]).map((record) => this.#canonical(type, record) ?? record))
    // The order of a set's values means nothing and is not kept.
    return { rrset: { subname, type, records: [...written].toReversed(), ttl: Number(ttl) } }
  }

  #wrongTtl(ttl: unknown): Errors | null {
    if (!Number.isInteger(ttl)) return { ttl: ['A valid integer is required.'] }
    const wrong = (bound: string, than: number) => ({
      ttl: [`Ensure this value is ${bound} than or equal to ${than}.`],
    })
    if (Number(ttl) < this.minimumTtl) return wrong('greater', this.minimumTtl)
    return Number(ttl) > MAX_TTL ? wrong('less', MAX_TTL) : null
  }

  #wrongRecords(type: string, subname: string, records: unknown): Errors | null {
    if (!Array.isArray(records) || records.length === 0 || records.some((one) => typeof one !== 'string'))
      return { records: ['This field must be a list of strings.'] }
    if (records.length > MAX_RECORDS || JSON.stringify(records).length > MAX_LENGTH)
      return nonField('Total length of RRset exceeds limit.')
    if (type === 'CNAME' && subname === '') return nonField('CNAME RRset cannot have empty subname.')
    if (type === 'CNAME' && records.length > 1) return nonField('CNAME RRset cannot have multiple records.')
    const wrong = (records as string[]).filter((record) => this.#canonical(type, record) === null)
    return wrong.length === 0 ? null : nonField(`Record content of type ${type} malformed.`)
  }

  /** As the server writes it; null: not of this type. A name without the final dot is one below the domain. */
  #canonical(type: string, record: string): string | null {
    const known = readType(type)
    if (known === null) return record.trim() === '' ? null : record
    if (type === 'TXT' && !record.startsWith('"')) return null
    const value = typeOf(known).read(inZone(type, record, this.name))
    if (value === null) return null
    const written = typeOf(known).write(value)
    // The server puts quotes around what a parameter is.
    return type === 'HTTPS' || type === 'SVCB'
      ? written.replace(/ ([a-z0-9-]+)=([^" ]+)/g, ' $1="$2"')
      : written
  }

  #conflict({ subname, type, records }: Written): Errors | null {
    if (records.length === 0) return null
    const others = [...this.#rrsets.values()].filter(
      (other) => other.subname === subname && other.type !== type,
    )
    const inTheWay = others.filter((other) => type === 'CNAME' || other.type === 'CNAME')
    if (inTheWay.length === 0) return null
    const types = inTheWay.map((other) => other.type).join(', ')
    return nonField(
      `RRset with conflicting type present at same subname: database (${types}). (No other RRsets are allowed alongside CNAME.)`,
    )
  }

  #put({ subname, type, records, ttl }: Written): void {
    const key = keyOf({ subname, type })
    if (records.length === 0) return void this.#rrsets.delete(key)
    const touched = now()
    const name = subname === '' ? `${this.name}.` : `${subname}.${this.name}.`
    const created = this.#rrsets.get(key)?.created ?? touched
    this.#rrsets.set(key, { created, domain: this.name, subname, name, type, records, ttl, touched })
  }
}

type Written = Pick<DesecRRset, 'subname' | 'type' | 'records' | 'ttl'>

const SUBNAME_RULE =
  "Subname can only use (lowercase) a-z, 0-9, ., -, and _, may start with a '*.', or just be '*'."
const DUPLICATE = 'Another RRset with the same subdomain and type exists for this domain. (Try modifying it.)'

const now = () => new Date().toISOString().replace('Z', '000Z')
const isFine = (errors: Errors) => Object.keys(errors).length === 0
const needed = (fields: string[]): Errors =>
  Object.fromEntries(fields.map((field) => [field, ['This field is required.']]))

/** The sets that are named twice, with what is said of them. */
function repeats(items: unknown[]): ({ errors: Errors } | undefined)[] {
  const keys = items.map((item) => {
    const { subname = '', type } = isBody(item) ? item : ({} as Body)
    return JSON.stringify([subname, type])
  })
  const count = new Map<string, number[]>()
  for (const [i, key] of keys.entries()) count.set(key, [...(count.get(key) ?? []), i])
  return keys.map((key, i) => {
    const others = (count.get(key) ?? []).filter((other) => other !== i)
    if (others.length === 0) return undefined
    return {
      errors: nonField(`Same subname and type as in position(s) ${others.join(', ')}, but must be unique.`),
    }
  })
}

const PAGE = 500
const ALLOW = { allow: 'GET, POST, PUT, PATCH, HEAD, OPTIONS' }
const CHALLENGE = { 'www-authenticate': 'Token' }
const UNAVAILABLE = 'This domain name conflicts with an existing domain, or is disallowed by policy.'
const KEY = {
  dnskey: '257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==',
  ds: ['55648 13 2 b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17'],
  flags: 257,
  keytype: 'csk',
}
const ACCOUNT = {
  created: '2019-10-16T18:09:17.715702Z',
  email: 'user@example.com',
  id: '9ab16e5c-805d-4ab1-9030-af3f5a541d47',
  limit_domains: 15,
  outreach_preference: false,
}

const detail = (status: number, text: string, headers: Record<string, string> = {}) =>
  new Refused(json(status, { detail: text }, { ...ALLOW, ...headers }))
const invalidToken = detail(401, 'Invalid token.', CHALLENGE)
const notFound = detail(404, 'Not found.')
const throttled = (seconds: number) =>
  detail(429, `Request was throttled. Expected available in ${seconds} seconds.`, {
    'retry-after': String(seconds),
  })
const gone: SimulatorAnswer = { status: 204, headers: ALLOW }

const shown = (domain: DesecDomain, keys: object = {}) => ({
  created: domain.created,
  published: domain.touched,
  touched: domain.touched,
  name: domain.name,
  minimum_ttl: domain.minimumTtl,
  ...keys,
})

/** All in one answer, where they are not more than 500; else by cursors. */
function page(request: SimulatorRequest, all: unknown[]): SimulatorAnswer {
  const link = (cursor: string, rel: string) => {
    const query = new URLSearchParams(request.query)
    query.set('cursor', cursor)
    return `<http://${String(request.headers.host)}${request.path}?${query.toString()}>; rel="${rel}"`
  }
  const cursor = request.query.get('cursor')
  if (cursor === null && all.length <= PAGE) return json(200, all, ALLOW)
  const first = link('', 'first')
  if (cursor === null) {
    const text = `Pagination required. You can query up to ${PAGE} items at a time (${all.length} total). Please use the \`first\` page link (see Link header).`
    throw detail(400, text, { link: first })
  }
  const at = cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64url').toString())
  if (!Number.isInteger(at)) throw detail(404, 'Invalid cursor')
  const cursorOf = (place: number) => Buffer.from(String(place)).toString('base64url')
  const links = [first]
  if (at > 0) links.push(link(at <= PAGE ? '' : cursorOf(at - PAGE), 'prev'))
  if (at + PAGE < all.length) links.push(link(cursorOf(at + PAGE), 'next'))
  return json(200, all.slice(at, at + PAGE), { ...ALLOW, link: links.join(', ') })
}

type DesecCall = Call<DesecDomain, { token: string }>

const rates = new WeakMap<DesecDomain, CallRate[]>()

/** Counts a write of the domain. `writes` are [calls, seconds] that are taken. */
function throttle({ zone, sim }: DesecCall): void {
  const { writes = [] } = sim.options as { writes?: [calls: number, seconds: number][] }
  const own = rates.get(zone) ?? writes.map(([calls, seconds]) => new CallRate(calls, seconds))
  rates.set(zone, own)
  const full = own.map((rate) => rate.take()).filter(({ taken }) => !taken)
  if (full.length > 0)
    throw throttled(Math.max(1, ...full.map(({ resetMs }) => Math.ceil((resetMs - Date.now()) / 1000))))
}

/** `@` is the apex here and nowhere else; three dots may stand after the name. */
const placeOf = ({ params: { subname = '', type = '' } }: DesecCall) => ({
  subname: atAsEmpty(subname).replace(/\.\.\.$/, ''),
  type,
})

function one(call: DesecCall): DesecRRset {
  const { subname, type } = placeOf(call)
  const found = call.zone.get(subname, type)
  if (found === null) throw detail(404, 'No RRset matches the given query.')
  return found
}

const writeAll = (call: DesecCall): SimulatorAnswer => {
  throttle(call)
  const { body, zone } = call
  const method = call.request.method as Method
  // One alone is made here and changed at its own address.
  if (method !== 'POST' && !Array.isArray(body))
    throw new Refused(json(400, nonField('Expected a list of items but got type "dict".')))
  const written = zone.write(method, body)
  return json(method === 'POST' ? 201 : 200, Array.isArray(body) ? written : written[0], ALLOW)
}

const writeOne = (call: DesecCall): SimulatorAnswer => {
  throttle(call)
  one(call)
  const { body, zone } = call
  const [written] = zone.write(call.request.method as Method, {
    ...(isBody(body) ? body : {}),
    ...placeOf(call),
  })
  return written === undefined ? gone : json(200, written, ALLOW)
}

/**
 * deSEC's API. `writes`: those of records that are taken of one domain, as [calls, seconds]; the real one takes 2/s, 15/min,
 * 100/h, 300/d. `maxDomains`: how many the account may have. Zones are given a `minimumTtl`, as support sets it on demand.
 */
export default defineDialect({
  path: '/api/v1',
  keys: () => ({ token: `desec-${hexKey(8)}` }),
  newZone: (name, given) => new DesecDomain(name, given),
  headers: ({ token }) => ({ authorization: `Token ${token}` }),
  authenticate: ({ headers: { authorization } }, { token }) => {
    if (authorization === undefined)
      throw detail(401, 'Authentication credentials were not provided.', CHALLENGE)
    if (authorization !== `Token ${token}`) throw invalidToken
  },
  // Paths end in a slash, or there is nothing.
  routes: {
    'GET /auth/account/': () => json(200, ACCOUNT),
    'GET /domains/': ({ request, query, zones }) => {
      const qname = query.get('owns_qname')
      // The longest domain that the name is in.
      const owners = zones.filter(({ name }) => qname === name || qname?.endsWith(`.${name}`))
      const found = qname === null ? zones.toReversed() : owners.sort((a, b) => b.name.length - a.name.length)
      return page(
        request,
        found.slice(0, qname === null ? Infinity : 1).map((domain) => shown(domain)),
      )
    },
    'POST /domains/': ({ body, sim }) => {
      const name = isBody(body) ? body['name'] : undefined
      const wrong = (reason: string) => new Refused(json(400, { name: [reason] }))
      if (typeof name !== 'string') throw wrong('This field is required.')
      if (!/^[a-z0-9_][a-z0-9_-]*(\.[a-z0-9_][a-z0-9_-]*)+$/.test(name) || name.length > 191)
        throw wrong('Domain name malformed.')
      if (sim.zones.has(name)) throw wrong(UNAVAILABLE)
      if (sim.zones.size >= Number(sim.options['maxDomains'] ?? Infinity))
        throw detail(403, 'Domain limit exceeded. Please contact support to create additional domains.')
      return json(201, shown(sim.createZone(name), { keys: [KEY] }))
    },
    'GET /domains/:zone/': ({ zone }) => json(200, shown(zone, { keys: [KEY] })),
    'DELETE /domains/:zone/': ({ params, sim }) => {
      sim.deleteZone(params['zone'] ?? '')
      return gone
    },
    'GET /domains/:zone/rrsets/': ({ zone, request, query }) => {
      const [subname, type] = [query.get('subname'), query.get('type')]
      const wanted = zone.rrsets.filter(
        (rrset) => (subname ?? rrset.subname) === rrset.subname && (type ?? rrset.type) === rrset.type,
      )
      return page(request, wanted)
    },
    'POST /domains/:zone/rrsets/': writeAll,
    'PUT /domains/:zone/rrsets/': writeAll,
    'PATCH /domains/:zone/rrsets/': writeAll,
    'GET /domains/:zone/rrsets/:subname/:type/': (call) => json(200, one(call), ALLOW),
    'PUT /domains/:zone/rrsets/:subname/:type/': writeOne,
    'PATCH /domains/:zone/rrsets/:subname/:type/': writeOne,
    'DELETE /domains/:zone/rrsets/:subname/:type/': (call) => {
      throttle(call)
      const { subname, type } = placeOf(call)
      call.zone.delete(subname, type)
      return gone
    },
  },
  errors: {
    noRoute: notFound,
    noZone: detail(404, 'No Domain matches the given query.'),
    notAllowed: detail(405, 'Method not allowed.'),
    badJson: detail(400, 'JSON parse error - Expecting value: line 1 column 1 (char 0)'),
  },
  suite: {
    credentials: ({ token }) => ({ apiToken: token }),
    secret: 'apiToken',
    wrong: 'a-wrong-token-7f3a',
    given: { minimumTtl: 60 },
    seedSets: (domain, rrsets) => {
      const bodies = rrsets.map(({ name, type, ttl, members }) => ({
        subname: atAsEmpty(name),
        type,
        ttl,
        records: members.map(({ value }) => typeOf(type).write(value)),
      }))
      domain.write('PUT', bodies)
    },
    held: (domain) =>
      domain.rrsets
        .filter(({ subname, type }) => subname !== '' || type !== 'NS')
        .flatMap(({ subname, type, ttl, records }) =>
          records.map((rdata) => ({ name: emptyAsAt(subname), type, ttl, rdata })),
        ),
    foreign: (domain) => {
      domain.write('POST', [
        { subname: 'foreign', type: 'A', ttl: 3600, records: ['192.0.2.1'] },
        { subname: 'foreign', type: 'KX', ttl: 7200, records: ['10 kx.example.net.'] },
        { subname: 'cell', type: 'AFSDB', ttl: 3600, records: ['1 afs.example.net.'] },
      ])
      return () =>
        domain.rrsets
          .map(({ subname, type, ttl, records }) =>
            JSON.stringify({ subname, type, ttl, records: records.sort() }),
          )
          .sort()
    },
    faults: {
      unauthorized: invalidToken,
      forbidden: detail(403, 'You do not have permission to perform this action.'),
      rateLimited: throttled(1),
      failure: { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Server Error (500)</h1>' },
      refused: (reason) => json(400, [nonField(reason)], ALLOW),
    },
  },
})
