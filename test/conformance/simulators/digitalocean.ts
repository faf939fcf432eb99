import { randomBytes } from 'node:crypto'
import {
  CallRate,
  Refused,
  bearerOf,
  isBody,
  json,
  orRefused,
  pageOf,
  parse,
  rateHeaders,
} from './answers.ts'
import { DigitalOceanDomain, notFound, unprocessable } from './digitalocean-domain.ts'
import { isWrite, startServer, type FakeAnswer, type FakeRequest, type FakeServer } from './server.ts'

export interface FakeDigitalOcean extends FakeServer {
  /** The address of the API. */
  apiUrl: string
  token: string
  /** Of a token that may not change anything. */
  readToken: string
  createDomain(name: string): DigitalOceanDomain
  deleteDomain(name: string): void
  domainNames(): string[]
}

const PREFIX = '/v2'
const PAGES = { size: 20, most: 200 }

/**
 * DigitalOcean's API v2 over a socket. `hourly`, `burst`: calls that are taken in an hour and in a minute, of the real
 * one 5000 and 250.
 */
export async function startFakeDigitalOcean({
  hourly = 1_000_000,
  burst = Infinity,
} = {}): Promise<FakeDigitalOcean> {
  const api = new Api(hourly, burst)
  const server = await startServer((request) => api.answer(request))
  return {
    ...server,
    apiUrl: `${server.url}${PREFIX}`,
    token: api.token,
    readToken: api.readToken,
    createDomain: (name) => api.createDomain(name),
    deleteDomain: (name) => void api.domains.delete(name),
    domainNames: () => [...api.domains.keys()],
  }
}

const refusal = (status: number, id: string, message: string, headers: Record<string, string> = {}) =>
  new Refused(json(status, { id, message }, headers))

export const unauthorized = () => refusal(401, 'unauthorized', 'Unable to authenticate you.')
export const forbidden = () => refusal(403, 'forbidden', 'You are not authorized to perform this operation')
export const tooMany = (headers: Record<string, string> = {}) =>
  refusal(429, 'too_many_requests', 'API rate limit exceeded.', headers)
export const serverError = () => refusal(500, 'server_error', 'Unexpected server-side error')

const badJson = refusal(400, 'bad_request', 'Error parsing the JSON in the request body').answer
const notAllowed = () => refusal(405, 'method_not_allowed', 'The method is not allowed')
const noContent: FakeAnswer = { status: 204 }

class Api {
  readonly domains = new Map<string, DigitalOceanDomain>()
  readonly token = `dop_v1_${randomBytes(32).toString('hex')}`
  readonly readToken = `dop_v1_${randomBytes(32).toString('hex')}`
  readonly #hourly: CallRate
  readonly #burst: CallRate

  constructor(hourly: number, burst: number) {
    this.#hourly = new CallRate(hourly, 3600)
    this.#burst = new CallRate(burst, 60)
  }

  createDomain(name: string): DigitalOceanDomain {
    const domain = new DigitalOceanDomain(name)
    this.domains.set(name, domain)
    return domain
  }

  answer(request: FakeRequest): FakeAnswer {
    const count = this.#hourly.take()
    const answer = orRefused(() => {
      if (!count.taken) throw tooMany()
      const burst = this.#burst.take()
      const seconds = Math.ceil((burst.resetMs - Date.now()) / 1000)
      // Only this one says how long to wait.
      if (!burst.taken) throw tooMany({ 'retry-after': String(seconds) })
      return this.#route(request)
    })
    return { ...answer, headers: { ...answer.headers, ...rateHeaders(this.#hourly, count) } }
  }

  #route(request: FakeRequest): FakeAnswer {
    const token = bearerOf(request)
    if (token !== this.token && token !== this.readToken) throw unauthorized()
    if (token === this.readToken && isWrite(request)) throw forbidden()
    const path = request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length) : ''
    const [area, name, part, id, ...rest] = path.slice(1).split('/')
    if (area === 'account' && name === undefined) return json(200, { account: ACCOUNT })
    if (area !== 'domains' || rest.length > 0) throw notFound()
    if (name === undefined) return this.#collection(request)
    const domain = this.domains.get(decodeURIComponent(name))
    if (domain === undefined) throw notFound()
    if (part === undefined) return this.#domain(request, domain)
    if (part !== 'records') throw notFound()
    return id === undefined ? records(request, domain) : oneRecord(request, domain, Number(id))
  }

  #collection(request: FakeRequest): FakeAnswer {
    if (request.method === 'GET') return page(request, 'domains', [...this.domains.values()].map(shown))
    if (request.method !== 'POST') throw notAllowed()
    const body = parse(request, badJson)
    const name = isBody(body) ? body['name'] : undefined
    if (typeof name !== 'string' || !/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(name))
      throw unprocessable('Name is not valid')
    if (this.domains.has(name)) throw unprocessable('Name already exists')
    // The text of the zone comes later.
    return json(201, { domain: { ...shown(this.createDomain(name)), zone_file: null } })
  }

  #domain(request: FakeRequest, domain: DigitalOceanDomain): FakeAnswer {
    if (request.method === 'GET') return json(200, { domain: shown(domain) })
    if (request.method !== 'DELETE') throw notAllowed()
    this.domains.delete(domain.name)
    return noContent
  }
}

const ACCOUNT = {
  droplet_limit: 25,
  email: 'user@example.com',
  uuid: 'b6fr89dbf6d9156cace5f3c78dc9851d957381ef',
  email_verified: true,
  status: 'active',
  status_message: '',
}

const shown = ({ name }: DigitalOceanDomain) => ({
  name,
  ttl: 1800,
  zone_file: `$ORIGIN ${name}.\n$TTL 1800\n${name}. IN SOA ns1.digitalocean.com. hostmaster.${name}. 1583891130 10800 3600 604800 1800\n`,
})

function records(request: FakeRequest, domain: DigitalOceanDomain): FakeAnswer {
  const { method, query } = request
  if (method === 'POST') return json(201, { domain_record: domain.post(parse(request, badJson)) })
  if (method !== 'GET') throw notAllowed()
  const [name, type] = [query.get('name'), query.get('type')]
  const fullName = (relative: string) => (relative === '@' ? domain.name : `${relative}.${domain.name}`)
  const wanted = domain.records.filter(
    (record) =>
      // Asked for by the whole name, and not by the one that is shown.
      (name === null || name.toLowerCase() === fullName(record.name)) &&
      (type ?? record.type) === record.type,
  )
  return page(request, 'domain_records', wanted)
}

function oneRecord(request: FakeRequest, domain: DigitalOceanDomain, id: number): FakeAnswer {
  const { method } = request
  if (method === 'GET') return json(200, { domain_record: domain.get(id) })
  if (method === 'PUT') return json(200, { domain_record: domain.put(id, parse(request, badJson)) })
  if (method === 'PATCH') return json(200, { domain_record: domain.patch(id, parse(request, badJson)) })
  if (method !== 'DELETE') throw notAllowed()
  domain.delete(id)
  return noContent
}

/** The last page has neither `next` nor `last`, the first neither `first` nor `prev`, and one alone no `pages`. */
function page(request: FakeRequest, collection: string, all: unknown[]): FakeAnswer {
  const found = pageOf(all, request.query, PAGES)
  if (found === null) throw refusal(400, 'bad_request', `per_page must be between 1 and ${PAGES.most}`)
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
