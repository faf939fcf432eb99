import { quoteBytes } from '../../../dns/text/strings.ts'
import { readQuoted } from '../../../dns/text/text.ts'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, bearerOf, isBody, json, pageOf } from './answers.ts'
import { hexKey, isData, isInteger, isLabels } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import { inZone } from './rdata.ts'
import { RRsetZone } from './rrset-zone.ts'
import { isWrite, type SimulatorAnswer } from './server.ts'

interface GandiRRset {
  /** Relative to the domain, `@` for the apex. */
  rrset_name: string
  rrset_type: string
  /** Seconds. */
  rrset_ttl: number
  /** As a master file has it. */
  rrset_values: string[]
}

const TYPES = new Set(
  'A AAAA ALIAS CAA CDS CNAME DNAME DS KEY LOC MX NAPTR NS OPENPGPKEY PTR RP SPF SRV SSHFP TLSA TXT WKS'.split(
    ' ',
  ),
)
const MIN_TTL = 300
const MAX_TTL = 2_592_000
const DEFAULT_TTL = 10_800

/** What a new domain begins with at Gandi's. */
const DEFAULTS: [name: string, type: string, ...values: string[]][] = [
  ['@', 'MX', '10 spool.mail.gandi.net.', '50 fb.mail.gandi.net.'],
  ['@', 'TXT', '"v=spf1 include:_mailcust.gandi.net ?all"'],
  ['webmail', 'CNAME', 'webmail.gandi.net.'],
  ['_imap._tcp', 'SRV', '0 0 0 .'],
  ['_imaps._tcp', 'SRV', '0 1 993 mail.gandi.net.'],
]

const failure = (code: number, message: string, object: string, cause: string) =>
  new Refused(json(code, { code, message, object, cause }))

/** The body is wrong here. */
const invalid = (name: string, description: string) =>
  new Refused(json(400, { status: 'error', errors: [{ location: 'body', name, description }] }))

const duplicate = () =>
  failure(409, 'A DNS Record already exists with same value', 'dns-record', 'Duplicate Entry')

const RULES = {
  name: 'rrset_name',
  type: 'rrset_type',
  missing: (name: string, type: string) =>
    failure(404, `Can't find the DNS record ${name}/${type} in the zone`, 'dns-record', 'Not Found'),
  clash: () => invalid('rrset_type', 'a CNAME cannot stand beside other records of its name'),
} as const

/** One domain, with the checks that Gandi makes when it is changed. Gandi's own SOA and NS are not listed. */
class GandiDomain extends RRsetZone<GandiRRset> {
  constructor(name: string) {
    super(name, RULES)
  }

  /** Puts there what Gandi begins with. */
  addDefaults(): void {
    for (const [name, type, ...rrset_values] of DEFAULTS) this.write(name, type, { rrset_values })
  }

  /** All sets, or those of the name or of the name and type. */
  list(name?: string, type?: string): GandiRRset[] {
    return this.rrsets.filter(
      ({ rrset_name, rrset_type }) =>
        (name ?? rrset_name) === rrset_name && (type ?? rrset_type) === rrset_type,
    )
  }

  post(name: unknown, type: unknown, body: unknown): GandiRRset {
    const rrset = this.#judge(name, type, body)
    if (this.read(rrset.rrset_name, rrset.rrset_type) !== null) throw duplicate()
    return this.put(rrset)
  }

  /** Where the body has no TTL, it is the default, whatever it was. */
  write(name: string, type: string, body: unknown): GandiRRset {
    return this.put(this.#judge(name, type, body))
  }

  /** The whole domain, or all sets of one name, is what the items say. */
  putItems(body: unknown, name?: string): void {
    const items = isBody(body) ? body['items'] : undefined
    if (!Array.isArray(items)) throw invalid('items', 'Required')
    this.atOnce(() => {
      this.#drop(this.list(name))
      for (const item of items) {
        const { rrset_name, rrset_type } = isBody(item) ? item : {}
        this.post(name ?? rrset_name, rrset_type, item)
      }
    })
  }

  /** One set, or all of the name; one that is not there is missed. */
  remove(name: string, type?: string): void {
    const gone = this.list(name, type)
    if (gone.length === 0) throw RULES.missing(name, type ?? '')
    this.#drop(gone)
  }

  #drop(rrsets: GandiRRset[]): void {
    for (const { rrset_name, rrset_type } of rrsets) this.delete(rrset_name, rrset_type)
  }

  #judge(name: unknown, type: unknown, body: unknown): GandiRRset {
    if (!isBody(body)) throw invalid('', 'Invalid JSON object')
    if (name !== '@' && !isLabels(name)) throw invalid('rrset_name', 'invalid name')
    if (typeof type !== 'string' || !TYPES.has(type)) throw invalid('rrset_type', 'unknown type')
    if (name === '@' && type === 'NS')
      throw invalid('rrset_type', 'NS of the domain itself cannot be changed')
    if (name !== '@' && type === 'ALIAS') throw invalid('rrset_type', 'ALIAS is for the domain itself')
    const { rrset_ttl = DEFAULT_TTL, rrset_values } = body
    if (!isInteger(rrset_ttl, MIN_TTL, MAX_TTL))
      throw invalid('rrset_ttl', `${String(rrset_ttl)} is not between ${MIN_TTL} and ${MAX_TTL}`)
    if (!Array.isArray(rrset_values) || rrset_values.length === 0) throw invalid('rrset_values', 'Required')
    const values = rrset_values.map((value: unknown) => this.#valueOf(type, value))
    if (new Set(values).size < values.length) throw invalid('rrset_values', 'duplicate value')
    if (type === 'CNAME' && values.length > 1) throw invalid('rrset_values', 'a CNAME has one value')
    return { rrset_name: name, rrset_type: type, rrset_ttl, rrset_values: values }
  }

  /** Text comes bare or in quotes, and is kept in quotes. Names without the final dot are kept so: relative. */
  #valueOf(type: string, value: unknown): string {
    if (typeof value !== 'string' || value === '') throw invalid('rrset_values', 'a value must be a text')
    if (type === 'TXT' && readQuoted(value) === null) return quoted(value)
    if (readType(type) !== null && !isData(type, inZone(type, value, this.name)))
      throw invalid('rrset_values', `'${value}': invalid value`)
    return value
  }
}

function quoted(text: string): string {
  const bytes = Buffer.from(text)
  const parts = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, i) =>
    quoteBytes(bytes.subarray(i * 255, (i + 1) * 255)),
  )
  return parts.join(' ')
}

/** How many the real one lists at most is not documented. */
const PAGES = { size: 100, most: 100 }

const unauthorized = failure(
  401,
  'The server could not verify that you authorized to access the document you requested. Either you supplied the wrong credentials (e.g., bad api key), or your access token has expired',
  'HTTPUnauthorized',
  'Unauthorized',
)
const forbidden = failure(403, 'Access was denied to this resource.', 'HTTPForbidden', 'Forbidden')
const tooMany = failure(429, 'Too Many Requests', 'HTTPTooManyRequests', 'Too Many Requests')
const notFound = failure(404, 'The resource could not be found.', 'HTTPNotFound', 'Not Found')

type GandiCall = Call<GandiDomain, { token: string; readToken: string }>

const bodyOf = ({ body }: GandiCall) => (isBody(body) ? body : {})
const created = (message: string, location: string) => json(201, { message }, { location })

/** Address of a domain. */
const hrefOf = ({ sim }: GandiCall, name: string) => `${sim.apiUrl}/domains/${name}`

const shown = (call: GandiCall, name: string) => ({
  fqdn: name,
  domain_href: hrefOf(call, name),
  domain_records_href: `${hrefOf(call, name)}/records`,
})

function linked(call: GandiCall, rrset: GandiRRset) {
  const path = [rrset.rrset_name, rrset.rrset_type].map(encodeURIComponent).join('/')
  return { ...rrset, rrset_href: `${hrefOf(call, call.zone.name)}/records/${path}` }
}

const made = (call: GandiCall, rrset: GandiRRset) =>
  created('DNS Record Created', linked(call, rrset).rrset_href)

function page({ query }: GandiCall, all: unknown[]): SimulatorAnswer {
  const found = pageOf(all, query, PAGES)
  if (found === null) throw invalid('per_page', `must be between 1 and ${PAGES.most}`)
  return json(200, found.items, { 'total-count': String(all.length) })
}

const list = (call: GandiCall) =>
  page(
    call,
    call.zone.list(call.params['name']).map((rrset) => linked(call, rrset)),
  )

const post = (call: GandiCall) => {
  const { rrset_name, rrset_type } = bodyOf(call)
  const { name = rrset_name, type = rrset_type } = call.params
  return made(call, call.zone.post(name, type, call.body))
}

const putItems = (call: GandiCall) => {
  call.zone.putItems(call.body, call.params['name'])
  return created('DNS Record Created', `${hrefOf(call, call.zone.name)}/records`)
}

const remove = ({ zone, params: { name = '', type } }: GandiCall) => {
  zone.remove(name, type)
  return { status: 204 }
}

/** Gandi's LiveDNS API v5. Of the real one 1000 calls are taken in a minute. There is no way to delete a domain. */
export default defineDialect({
  path: '/v5/livedns',
  keys: () => ({ token: hexKey(20), readToken: hexKey(20) }),
  newZone: (name) => new GandiDomain(name),
  headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
  authenticate: (request, { token, readToken }) => {
    const given = bearerOf(request)
    if (given !== token && given !== readToken) throw unauthorized
    if (given === readToken && isWrite(request)) throw forbidden
  },
  limits: [{ option: 'rate', seconds: 60, refuse: () => tooMany }],
  routes: {
    'GET /domains': (call) =>
      page(
        call,
        call.sim.zoneNames().map((name) => shown(call, name)),
      ),
    'POST /domains': (call) => {
      const { fqdn, zone } = bodyOf(call)
      if (typeof fqdn !== 'string') throw invalid('fqdn', 'Required')
      if (!isBody(zone)) throw invalid('zone', 'Required')
      if (call.sim.zones.has(fqdn))
        throw failure(409, `Domain ${fqdn} already exists`, 'domain', 'Duplicate Entry')
      // Only domains registered at Gandi's can be made.
      const { registered } = call.sim.options
      if (!(registered instanceof Set) || !registered.has(fqdn)) throw notFound
      call.sim.createZone(fqdn).addDefaults()
      return created('Domain Created', hrefOf(call, fqdn))
    },
    'GET /domains/:zone': (call) => {
      const domain_keys_href = `${hrefOf(call, call.zone.name)}/keys`
      return json(200, { ...shown(call, call.zone.name), domain_keys_href, automatic_snapshots: true })
    },
    'GET /domains/:zone/records': list,
    'GET /domains/:zone/records/:name': list,
    'GET /domains/:zone/records/:name/:type': (call) => {
      const { name = '', type = '' } = call.params
      return json(200, linked(call, call.zone.get(name, type)))
    },
    'POST /domains/:zone/records': post,
    'POST /domains/:zone/records/:name': post,
    'POST /domains/:zone/records/:name/:type': post,
    'PUT /domains/:zone/records': putItems,
    'PUT /domains/:zone/records/:name': putItems,
    'PUT /domains/:zone/records/:name/:type': (call) => {
      const { name = '', type = '' } = call.params
      return made(call, call.zone.write(name, type, call.body))
    },
    'DELETE /domains/:zone/records/:name': remove,
    'DELETE /domains/:zone/records/:name/:type': remove,
  },
  errors: {
    noRoute: notFound,
    notAllowed: failure(
      405,
      'The method is not allowed for this resource.',
      'HTTPMethodNotAllowed',
      'Method Not Allowed',
    ),
    badJson: failure(400, 'Invalid JSON in the request', 'HTTPBadRequest', 'Bad Request'),
  },
  suite: {
    credentials: ({ token }) => ({ apiToken: token }),
    secret: 'apiToken',
    wrong: '7f3a'.repeat(10),
    seedSets: (domain, rrsets) => {
      for (const { name, type, ttl, members } of rrsets)
        domain.write(name, type, {
          rrset_ttl: ttl,
          rrset_values: members.map(({ value }) => typeOf(type).write(value)),
        })
    },
    held: (domain) =>
      domain.rrsets.flatMap(({ rrset_name: name, rrset_type: type, rrset_ttl: ttl, rrset_values }) =>
        rrset_values.map((value) => ({ name, type, ttl, rdata: inZone(type, value, domain.name) })),
      ),
    foreign: (domain) => {
      domain.write('foreign', 'A', { rrset_ttl: 3600, rrset_values: ['192.0.2.1'] })
      domain.write('foreign', 'SPF', { rrset_ttl: 3600, rrset_values: ['"v=spf1 -all"'] })
      domain.write('cell', 'WKS', { rrset_ttl: 3600, rrset_values: ['192.0.2.1 TCP smtp'] })
      // The order of a set's values means nothing.
      return () =>
        domain.rrsets
          .map((rrset) => JSON.stringify({ ...rrset, rrset_values: rrset.rrset_values.toSorted() }))
          .sort()
    },
    faults: {
      unauthorized,
      forbidden,
      rateLimited: tooMany,
      failure: failure(500, 'Internal Server Error', 'HTTPInternalServerError', 'Internal Server Error'),
      refused: (reason) => invalid('rrset_values', reason),
    },
  },
})
