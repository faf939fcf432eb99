import { randomBytes } from 'node:crypto'
import { CallRate, bearerOf, isBody, json, orRefused, pageOf, parse } from './answers.ts'
import { GandiDomain, failure, invalid, type GandiRRset } from './gandi-domain.ts'
import {
  isWrite,
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
  type SimulatorServer,
} from './server.ts'

export interface FakeGandi extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  token: string
  /** Of a token that may only read. */
  readToken: string
  /** Registered at Gandi, and without a zone there. */
  registered: Set<string>
  createDomain(name: string): GandiDomain
  deleteDomain(name: string): void
  domainNames(): string[]
}

const PREFIX = '/v5/livedns'
/** How many the real one lists at most is not documented. */
const PAGES = { size: 100, most: 100 }

/** Gandi's LiveDNS API v5 over a socket. `rate`: calls that are taken in a minute, of the real one 1000. */
export async function startFakeGandi({ rate = Infinity } = {}): Promise<FakeGandi> {
  const api = new Api(rate)
  const server = await startServer((request) => orRefused(() => api.answer(request)))
  return {
    ...server,
    apiUrl: `${server.url}${PREFIX}`,
    token: api.token,
    readToken: api.readToken,
    registered: api.registered,
    createDomain: (name) => api.createDomain(name),
    deleteDomain: (name) => void api.domains.delete(name),
    domainNames: () => [...api.domains.keys()],
  }
}

export const unauthorized = () =>
  failure(
    401,
    'The server could not verify that you authorized to access the document you requested. Either you supplied the wrong credentials (e.g., bad api key), or your access token has expired',
    'HTTPUnauthorized',
    'Unauthorized',
  )
export const forbidden = () =>
  failure(403, 'Access was denied to this resource.', 'HTTPForbidden', 'Forbidden')
export const tooMany = () => failure(429, 'Too Many Requests', 'HTTPTooManyRequests', 'Too Many Requests')

const notFound = () => failure(404, 'The resource could not be found.', 'HTTPNotFound', 'Not Found')
const notAllowed = () =>
  failure(405, 'The method is not allowed for this resource.', 'HTTPMethodNotAllowed', 'Method Not Allowed')
const badJson = failure(400, 'Invalid JSON in the request', 'HTTPBadRequest', 'Bad Request').answer
const noContent: SimulatorAnswer = { status: 204 }

class Api {
  readonly domains = new Map<string, GandiDomain>()
  readonly registered = new Set<string>()
  readonly token = randomBytes(20).toString('hex')
  readonly readToken = randomBytes(20).toString('hex')
  readonly #rate: CallRate

  constructor(rate: number) {
    this.#rate = new CallRate(rate, 60)
  }

  createDomain(name: string): GandiDomain {
    const domain = new GandiDomain(name)
    this.domains.set(name, domain)
    return domain
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    if (!this.#rate.take().taken) throw tooMany()
    const token = bearerOf(request)
    if (token !== this.token && token !== this.readToken) throw unauthorized()
    if (token === this.readToken && isWrite(request)) throw forbidden()
    const path = request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length) : ''
    const [area, name, part, ...place] = path.slice(1).split('/').map(decodeURIComponent)
    if (area !== 'domains') throw notFound()
    if (name === undefined) return this.#collection(request)
    const domain = this.domains.get(name)
    if (domain === undefined) throw notFound()
    if (part === undefined) return oneDomain(request, domain)
    if (part !== 'records' || place.length > 2) throw notFound()
    return records(request, domain, place)
  }

  #collection(request: SimulatorRequest): SimulatorAnswer {
    if (request.method === 'GET') {
      const all = [...this.domains.values()].map((domain) => shown(request, domain))
      return page(request, all)
    }
    if (request.method !== 'POST') throw notAllowed()
    const { fqdn, zone } = asBody(parse(request, badJson))
    if (typeof fqdn !== 'string') throw invalid('fqdn', 'Required')
    if (!isBody(zone)) throw invalid('zone', 'Required')
    if (this.domains.has(fqdn))
      throw failure(409, `Domain ${fqdn} already exists`, 'domain', 'Duplicate Entry')
    // Only who has registered it here can have it here.
    if (!this.registered.has(fqdn)) throw notFound()
    this.createDomain(fqdn).addDefaults()
    return created('Domain Created', `${rootOf(request)}/${fqdn}`)
  }
}

const asBody = (value: unknown) => (isBody(value) ? value : {})
const rootOf = ({ headers }: SimulatorRequest) => `http://${String(headers.host)}${PREFIX}/domains`
const created = (message: string, location: string) => json(201, { message }, { location })

const shown = (request: SimulatorRequest, { name }: GandiDomain) => ({
  fqdn: name,
  domain_href: `${rootOf(request)}/${name}`,
  domain_records_href: `${rootOf(request)}/${name}/records`,
})

function oneDomain(request: SimulatorRequest, domain: GandiDomain): SimulatorAnswer {
  // There is no way to take it away but to leave Gandi.
  if (request.method !== 'GET') throw notAllowed()
  const domain_keys_href = `${rootOf(request)}/${domain.name}/keys`
  return json(200, { ...shown(request, domain), domain_keys_href, automatic_snapshots: true })
}

/** `place`: nothing, a name, or a name and a type. */
function records(request: SimulatorRequest, domain: GandiDomain, place: string[]): SimulatorAnswer {
  const { method } = request
  const [name, type] = place
  const href = (rrset: GandiRRset) => {
    const path = [rrset.rrset_name, rrset.rrset_type].map(encodeURIComponent).join('/')
    return `${rootOf(request)}/${domain.name}/records/${path}`
  }
  const made = (rrset: GandiRRset) => created('DNS Record Created', href(rrset))
  const linked = (rrset: GandiRRset) => ({ ...rrset, rrset_href: href(rrset) })
  if (method === 'GET' && name !== undefined && type !== undefined)
    return json(200, linked(domain.get(name, type)))
  if (method === 'GET')
    return page(
      request,
      domain.rrsets.filter(({ rrset_name }) => (name ?? rrset_name) === rrset_name).map(linked),
    )
  if (method === 'DELETE') {
    // All of the domain is emptied without a name.
    if (name === undefined) domain.putItems({ items: [] })
    else domain.delete(name, type)
    return noContent
  }
  const body = parse(request, badJson)
  const { rrset_name, rrset_type } = asBody(body)
  if (method === 'POST') return made(domain.post(name ?? rrset_name, type ?? rrset_type, body))
  if (method !== 'PUT') throw notAllowed()
  if (name !== undefined && type !== undefined) return made(domain.put(name, type, body))
  domain.putItems(body, name)
  return created('DNS Record Created', `${rootOf(request)}/${domain.name}/records`)
}

function page({ query }: SimulatorRequest, all: unknown[]): SimulatorAnswer {
  const found = pageOf(all, query, PAGES)
  if (found === null) throw invalid('per_page', `must be between 1 and ${PAGES.most}`)
  return json(200, found.items, { 'total-count': String(all.length) })
}
