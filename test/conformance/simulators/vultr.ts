import { randomBytes } from 'node:crypto'
import { CallRate, bearerOf, isBody, json, orRefused, parse } from './answers.ts'
import { isWrite, startServer, type FakeAnswer, type FakeRequest, type FakeServer } from './server.ts'
import { VultrDomain, failure, invalid } from './vultr-domain.ts'

export interface FakeVultr extends FakeServer {
  /** The address of the API. */
  apiUrl: string
  key: string
  /** Of a user who may only look. */
  readKey: string
  createDomain(name: string): VultrDomain
  deleteDomain(name: string): void
  domainNames(): string[]
}

const PREFIX = '/v2'
const PAGES = { size: 25, most: 500 }

/** Vultr's API v2 over a socket. `rate`: calls that are taken in so many seconds, of the real one 30 in one. */
export async function startFakeVultr({ rate = Infinity, seconds = 1 } = {}): Promise<FakeVultr> {
  const api = new Api(new CallRate(rate, seconds))
  const server = await startServer((request) => orRefused(() => api.answer(request)))
  return {
    ...server,
    apiUrl: `${server.url}${PREFIX}`,
    key: api.key,
    readKey: api.readKey,
    createDomain: (name) => api.createDomain(name),
    deleteDomain: (name) => void api.domains.delete(name),
    domainNames: () => [...api.domains.keys()],
  }
}

export const unauthorized = () => failure(401, 'Invalid API token.')
export const forbidden = () => failure(403, 'Forbidden.')
export const tooMany = () => failure(429, 'Rate limit hit, please try your request again later.')

const badJson = invalid('Invalid JSON in the request.').answer
const notFound = () => failure(404, 'Not found.')
const notAllowed = () => failure(405, 'Method not allowed.')
const noContent: FakeAnswer = { status: 204, headers: { 'content-type': 'text/html; charset=UTF-8' } }

class Api {
  readonly domains = new Map<string, VultrDomain>()
  readonly key = randomBytes(18).toString('hex').toUpperCase()
  readonly readKey = randomBytes(18).toString('hex').toUpperCase()
  readonly #rate: CallRate

  constructor(rate: CallRate) {
    this.#rate = rate
  }

  createDomain(name: string, ip?: string): VultrDomain {
    const domain = new VultrDomain(name, ip)
    this.domains.set(name, domain)
    return domain
  }

  answer(request: FakeRequest): FakeAnswer {
    if (!this.#rate.take().taken) throw tooMany()
    const key = bearerOf(request)
    if (key !== this.key && key !== this.readKey) throw unauthorized()
    if (key === this.readKey && isWrite(request)) throw forbidden()
    const path = request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length) : ''
    const [area, name, part, id, ...rest] = path.slice(1).split('/').map(decodeURIComponent)
    if (area === 'account' && name === undefined) return json(200, { account: ACCOUNT })
    if (area !== 'domains' || rest.length > 0) throw notFound()
    if (name === undefined) return this.#collection(request)
    const domain = this.domains.get(name)
    if (domain === undefined) throw failure(404, 'Invalid domain.')
    if (part === undefined) return this.#domain(request, domain)
    if (part !== 'records') throw notFound()
    return id === undefined ? records(request, domain) : oneRecord(request, domain, id)
  }

  #collection(request: FakeRequest): FakeAnswer {
    if (request.method === 'GET') return page(request, 'domains', [...this.domains.values()].map(shown))
    if (request.method !== 'POST') throw notAllowed()
    const body = parse(request, badJson)
    const { domain: name, ip, dns_sec: dnsSec } = isBody(body) ? body : {}
    if (typeof name !== 'string' || !/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(name))
      throw invalid('Invalid domain.')
    if (this.domains.has(name)) throw invalid('Domain already exists.')
    const domain = this.createDomain(name, typeof ip === 'string' ? ip : undefined)
    if (dnsSec === 'enabled') domain.dnsSec = dnsSec
    return json(201, { domain: shown(domain) })
  }

  #domain(request: FakeRequest, domain: VultrDomain): FakeAnswer {
    if (request.method === 'GET') return json(200, { domain: shown(domain) })
    if (request.method !== 'DELETE') throw notAllowed()
    this.domains.delete(domain.name)
    return noContent
  }
}

const ACCOUNT = {
  name: 'An account',
  email: 'user@example.com',
  acls: ['dns'],
  balance: 0,
  pending_charges: 0,
}

const shown = ({ name, createdAt, dnsSec }: VultrDomain) => ({
  domain: name,
  date_created: createdAt,
  dns_sec: dnsSec,
})

function records(request: FakeRequest, domain: VultrDomain): FakeAnswer {
  if (request.method === 'POST') return json(201, { record: domain.post(parse(request, badJson)) })
  if (request.method !== 'GET') throw notAllowed()
  return page(request, 'records', domain.records)
}

function oneRecord(request: FakeRequest, domain: VultrDomain, id: string): FakeAnswer {
  const { method } = request
  if (method === 'GET') return json(200, { record: domain.get(id) })
  if (method === 'PATCH') domain.patch(id, parse(request, badJson))
  else if (method === 'DELETE') domain.delete(id)
  else throw notAllowed()
  return noContent
}

const cursorOf = (at: number) => Buffer.from(`next__${at}`).toString('base64')

/** By cursors; '' for the one that is not there. */
function page({ query }: FakeRequest, collection: string, all: unknown[]): FakeAnswer {
  const size = Number(query.get('per_page') ?? PAGES.size)
  if (!Number.isInteger(size) || size < 1 || size > PAGES.most) throw invalid('Invalid per_page.')
  const cursor = query.get('cursor') ?? ''
  const [, place] = /^next__(\d+)$/.exec(Buffer.from(cursor, 'base64').toString()) ?? []
  if (cursor !== '' && place === undefined) throw invalid('Invalid cursor.')
  const at = Number(place ?? 0)
  const links = {
    next: at + size < all.length ? cursorOf(at + size) : '',
    prev: at > 0 ? cursorOf(Math.max(0, at - size)) : '',
  }
  return json(200, { [collection]: all.slice(at, at + size), meta: { total: all.length, links } })
}
