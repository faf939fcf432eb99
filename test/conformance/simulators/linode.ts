import { randomBytes } from 'node:crypto'
import { CallRate, bearerOf, isBody, json, orRefused, parse, rateHeaders } from './answers.ts'
import { LinodeDomain, failure, invalid, notFound } from './linode-domain.ts'
import { isWrite, startServer, type FakeAnswer, type FakeRequest, type FakeServer } from './server.ts'

export interface FakeLinode extends FakeServer {
  /** The address of the API. */
  apiUrl: string
  token: string
  /** Of a token that may only read. */
  readToken: string
  createDomain(name: string, type?: 'master' | 'slave'): LinodeDomain
  deleteDomain(name: string): void
  domainNames(): string[]
}

export interface FakeLinodeOptions {
  /** Calls that are taken in a minute, of the real one 200 to 1600. */
  rate?: number
  /** A record that is made has the default TTL, whatever was sent. */
  losesTtl?: boolean
}

const PREFIX = '/v4'
const PAGES = { size: 100, least: 25, most: 500 }

/** Linode's API v4 over a socket. */
export async function startFakeLinode(options: FakeLinodeOptions = {}): Promise<FakeLinode> {
  const api = new Api(options)
  const server = await startServer((request) => api.answer(request))
  return {
    ...server,
    apiUrl: `${server.url}${PREFIX}`,
    token: api.token,
    readToken: api.readToken,
    createDomain: (name, type) => api.createDomain(name, type),
    deleteDomain: (name) => {
      for (const domain of api.domains.values()) if (domain.name === name) api.domains.delete(domain.id)
    },
    domainNames: () => [...api.domains.values()].map(({ name }) => name),
  }
}

export const unauthorized = () => failure(401, 'Invalid Token')
export const forbidden = () => failure(403, 'Unauthorized')
export const tooMany = () => failure(429, 'Too many requests')

const badJson = failure(400, 'Invalid JSON').answer
const notAllowed = () => failure(405, 'Method Not Allowed')
const ok = (value: unknown) => json(200, value)

class Api {
  readonly domains = new Map<number, LinodeDomain>()
  readonly token = randomBytes(32).toString('hex')
  readonly readToken = randomBytes(32).toString('hex')
  readonly #rate: CallRate
  readonly #options: FakeLinodeOptions
  #ids = 1_065_420

  constructor(options: FakeLinodeOptions) {
    this.#options = options
    this.#rate = new CallRate(options.rate ?? 1_000_000, 60)
  }

  createDomain(name: string, type: 'master' | 'slave' = 'master'): LinodeDomain {
    const domain = new LinodeDomain(++this.#ids, name, type, this.#options.losesTtl)
    this.domains.set(domain.id, domain)
    return domain
  }

  /** Each answer says when the limit begins anew, also by Retry-After; a refusal does not say how long to wait. */
  answer(request: FakeRequest): FakeAnswer {
    const count = this.#rate.take()
    if (!count.taken)
      return { ...tooMany().answer, headers: { 'x-ratelimit-limit': String(this.#rate.calls) } }
    const answer = orRefused(() => this.#route(request))
    const wait = Math.max(1, Math.ceil((count.resetMs - Date.now()) / 1000))
    const headers = { ...rateHeaders(this.#rate, count, 'x-'), 'retry-after': String(wait) }
    return { ...answer, headers: { ...answer.headers, ...headers } }
  }

  #route(request: FakeRequest): FakeAnswer {
    const token = bearerOf(request)
    if (token !== this.token && token !== this.readToken) throw unauthorized()
    if (token === this.readToken && isWrite(request)) throw forbidden()
    const path = request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length) : ''
    const [area, id, part, recordId, ...rest] = path.slice(1).split('/')
    if (area === 'profile' && id === undefined) return ok({ username: 'somebody', restricted: false })
    if (area !== 'domains' || rest.length > 0) throw notFound()
    if (id === undefined) return this.#collection(request)
    const domain = this.domains.get(Number(id))
    if (domain === undefined) throw notFound()
    if (part === undefined) return this.#domain(request, domain)
    if (part !== 'records') throw notFound()
    return recordId === undefined ? records(request, domain) : oneRecord(request, domain, Number(recordId))
  }

  #collection(request: FakeRequest): FakeAnswer {
    const all = [...this.domains.values()]
    if (request.method === 'GET') return page(request, all.map(shown), ['domain', 'type', 'group', 'tags'])
    if (request.method !== 'POST') throw notAllowed()
    const body = parse(request, badJson)
    const { domain: name, type, soa_email: email } = isBody(body) ? body : {}
    if (typeof name !== 'string' || !/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(name))
      throw invalid('domain', 'Domain is not valid')
    if (type !== 'master' && type !== 'slave') throw invalid('type', 'type is required')
    if (type === 'master' && (typeof email !== 'string' || !email.includes('@')))
      throw invalid('soa_email', 'soa_email required when type=master')
    if (all.some((domain) => domain.name === name)) throw invalid('domain', 'DNS zone already exists.')
    const domain = this.createDomain(name, type)
    if (typeof email === 'string') domain.soaEmail = email
    return ok(shown(domain))
  }

  #domain(request: FakeRequest, domain: LinodeDomain): FakeAnswer {
    if (request.method === 'GET') return ok(shown(domain))
    if (request.method !== 'DELETE') throw notAllowed()
    this.domains.delete(domain.id)
    return ok({})
  }
}

const shown = ({ id, name, type, soaEmail, createdAt }: LinodeDomain) => ({
  id,
  type,
  domain: name,
  tags: [],
  group: '',
  status: 'active',
  errors: '',
  description: '',
  soa_email: soaEmail,
  retry_sec: 0,
  master_ips: [],
  axfr_ips: [],
  expire_sec: 0,
  refresh_sec: 0,
  ttl_sec: 0,
  created: createdAt,
  updated: createdAt,
})

function records(request: FakeRequest, domain: LinodeDomain): FakeAnswer {
  if (request.method === 'POST') return ok(domain.post(parse(request, badJson)))
  if (request.method !== 'GET') throw notAllowed()
  return page(request, domain.records, ['name', 'type', 'target', 'tag'])
}

function oneRecord(request: FakeRequest, domain: LinodeDomain, id: number): FakeAnswer {
  const { method } = request
  if (method === 'GET') return ok(domain.get(id))
  if (method === 'PUT') return ok(domain.put(id, parse(request, badJson)))
  if (method !== 'DELETE') throw notAllowed()
  domain.delete(id)
  return ok({})
}

/** What the header X-Filter asks for: fields that are exactly so. */
function filtered(request: FakeRequest, all: object[], fields: string[]): object[] {
  const header = request.headers['x-filter']
  if (header === undefined) return all
  const filter = parse({ ...request, body: String(header) }, invalid('X-Filter', 'Invalid filter').answer)
  if (!isBody(filter) || Object.keys(filter).some((field) => !fields.includes(field)))
    throw invalid('X-Filter', 'Cannot filter on this')
  const wanted = Object.entries(filter)
  return all.filter((item) => wanted.every(([field, value]) => Reflect.get(item, field) === value))
}

function page(request: FakeRequest, all: object[], fields: string[]): FakeAnswer {
  const { query } = request
  const size = Number(query.get('page_size') ?? PAGES.size)
  if (!Number.isInteger(size) || size < PAGES.least || size > PAGES.most)
    throw invalid('page_size', `Must be ${PAGES.least}-${PAGES.most}`)
  const found = filtered(request, all, fields)
  const [at, pages] = [Number(query.get('page') ?? 1), Math.max(1, Math.ceil(found.length / size))]
  if (!Number.isInteger(at) || at < 1) throw invalid('page', 'Must be 1 or greater')
  if (at > pages) throw notFound()
  return ok({ data: found.slice((at - 1) * size, at * size), page: at, pages, results: found.length })
}
