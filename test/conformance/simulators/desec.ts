import { randomBytes } from 'node:crypto'
import { CallRate, Refused, isBody, json, orRefused, parse } from './answers.ts'
import { DesecDomain } from './desec-domain.ts'
import {
  isWrite,
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
  type SimulatorServer,
} from './server.ts'

export interface FakeDesecOptions {
  /** Writes of records that are taken of one domain, as [calls, seconds]; the real one takes 2/s, 15/min, 100/h, 300/d. */
  writes?: [calls: number, seconds: number][]
  /** How many domains the account may have. */
  maxDomains?: number
}

export interface FakeDesec extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  token: string
  /** `minimumTtl`: 3600, where support has not lowered it. */
  createDomain(name: string, minimumTtl?: number): DesecDomain
  deleteDomain(name: string): void
  domainNames(): string[]
}

const PREFIX = '/api/v1'
const PAGE = 500

/** deSEC's API over a socket. */
export async function startFakeDesec(options: FakeDesecOptions = {}): Promise<FakeDesec> {
  const api = new Api(options)
  const server = await startServer((request) => orRefused(() => api.answer(request)))
  return {
    ...server,
    apiUrl: `${server.url}${PREFIX}`,
    token: api.token,
    createDomain: (name, minimumTtl) => api.createDomain(name, minimumTtl),
    deleteDomain: (name) => void api.domains.delete(name),
    domainNames: () => [...api.domains.keys()],
  }
}

const ALLOW = { allow: 'GET, POST, PUT, PATCH, HEAD, OPTIONS' }
export const detail = (status: number, text: string, headers: Record<string, string> = {}) =>
  new Refused(json(status, { detail: text }, { ...ALLOW, ...headers }))

export const throttled = (seconds: number) =>
  detail(429, `Request was throttled. Expected available in ${seconds} seconds.`, {
    'retry-after': String(seconds),
  })

class Api {
  readonly domains = new Map<string, DesecDomain>()
  readonly token = `fake-desec-${randomBytes(8).toString('hex')}`
  readonly #options: FakeDesecOptions
  readonly #writes = new Map<string, CallRate[]>()

  constructor(options: FakeDesecOptions) {
    this.#options = options
  }

  createDomain(name: string, minimumTtl?: number): DesecDomain {
    const domain = new DesecDomain(name, minimumTtl)
    this.domains.set(name, domain)
    return domain
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    this.#authorize(request)
    const path = request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length) : ''
    // Paths end in a slash, or there is nothing.
    const [area, name, part, subname, type, ...rest] = path.slice(1).split('/').slice(0, -1)
    if (!path.endsWith('/') || rest.length > 0) throw detail(404, 'Not found.')
    if (path === '/auth/account/') return json(200, this.#account())
    if (area !== 'domains') throw detail(404, 'Not found.')
    if (name === undefined) return this.#collection(request)
    const domain = this.domains.get(name)
    if (part === undefined) return this.#domain(request, name, domain)
    if (domain === undefined) throw detail(404, 'No Domain matches the given query.')
    if (part !== 'rrsets') throw detail(404, 'Not found.')
    if (isWrite(request)) this.#throttle(domain)
    if (subname === undefined) return rrsets(request, domain)
    if (type === undefined) throw detail(404, 'Not found.')
    return oneRRset(request, domain, decodeURIComponent(subname), decodeURIComponent(type))
  }

  #authorize({ headers }: SimulatorRequest): void {
    const challenge = { 'www-authenticate': 'Token' }
    const { authorization } = headers
    if (authorization === undefined)
      throw detail(401, 'Authentication credentials were not provided.', challenge)
    if (authorization !== `Token ${this.token}`) throw detail(401, 'Invalid token.', challenge)
  }

  #throttle({ name }: DesecDomain): void {
    const rates =
      this.#writes.get(name) ??
      (this.#options.writes ?? []).map(([calls, seconds]) => new CallRate(calls, seconds))
    this.#writes.set(name, rates)
    const full = rates.map((rate) => rate.take()).filter(({ taken }) => !taken)
    if (full.length === 0) return
    const waits = full.map(({ resetMs }) => Math.ceil((resetMs - Date.now()) / 1000))
    throw throttled(Math.max(1, ...waits))
  }

  #account() {
    return {
      created: '2019-10-16T18:09:17.715702Z',
      email: 'user@example.com',
      id: '9ab16e5c-805d-4ab1-9030-af3f5a541d47',
      limit_domains: this.#options.maxDomains ?? 15,
      outreach_preference: false,
    }
  }

  #collection(request: SimulatorRequest): SimulatorAnswer {
    if (request.method === 'GET') {
      const qname = request.query.get('owns_qname')
      const owner = qname === null ? null : this.#ownerOf(qname)
      const all = [...this.domains.values()].toReversed()
      const found = qname === null ? all : all.filter(({ name }) => name === owner)
      return page(
        request,
        found.map((domain) => shown(domain)),
      )
    }
    if (request.method !== 'POST') throw notAllowed(request)
    const body = parse(request, malformed)
    const name = isBody(body) ? body['name'] : undefined
    if (typeof name !== 'string') throw new Refused(json(400, { name: ['This field is required.'] }))
    if (!/^[a-z0-9_][a-z0-9_-]*(\.[a-z0-9_][a-z0-9_-]*)+$/.test(name) || name.length > 191)
      throw new Refused(json(400, { name: ['Domain name malformed.'] }))
    if (this.domains.has(name)) throw new Refused(json(400, { name: [UNAVAILABLE] }))
    if (this.domains.size >= (this.#options.maxDomains ?? Infinity))
      throw detail(403, 'Domain limit exceeded. Please contact support to create additional domains.')
    return json(201, shown(this.createDomain(name), { keys: true }))
  }

  /** The longest domain that the name is in. */
  #ownerOf(qname: string): string | undefined {
    const owners = [...this.domains.keys()].filter((name) => qname === name || qname.endsWith(`.${name}`))
    return owners.sort((a, b) => b.length - a.length)[0]
  }

  #domain(request: SimulatorRequest, name: string, domain: DesecDomain | undefined): SimulatorAnswer {
    if (request.method === 'DELETE') {
      this.domains.delete(name)
      return { status: 204, headers: ALLOW }
    }
    if (domain === undefined) throw detail(404, 'No Domain matches the given query.')
    if (request.method !== 'GET') throw notAllowed(request)
    return json(200, shown(domain, { keys: true }))
  }
}

const UNAVAILABLE = 'This domain name conflicts with an existing domain, or is disallowed by policy.'
const malformed = detail(400, 'JSON parse error - Expecting value: line 1 column 1 (char 0)').answer
const notAllowed = ({ method }: SimulatorRequest) => detail(405, `Method "${method}" not allowed.`)

const KEY = {
  dnskey: '257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==',
  ds: ['55648 13 2 b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17'],
  flags: 257,
  keytype: 'csk',
}

const shown = (domain: DesecDomain, { keys = false } = {}) => ({
  created: domain.created,
  published: domain.touched,
  touched: domain.touched,
  name: domain.name,
  minimum_ttl: domain.minimumTtl,
  ...(keys && { keys: [KEY] }),
})

function rrsets(request: SimulatorRequest, domain: DesecDomain): SimulatorAnswer {
  const { method, query } = request
  if (method === 'GET') {
    const [subname, type] = [query.get('subname'), query.get('type')]
    const wanted = domain.rrsets.filter(
      (rrset) => (subname ?? rrset.subname) === rrset.subname && (type ?? rrset.type) === rrset.type,
    )
    return page(request, wanted)
  }
  if (method !== 'POST' && method !== 'PUT' && method !== 'PATCH') throw notAllowed(request)
  const body = parse(request, malformed)
  // One alone is made here and changed at its own address.
  if (method !== 'POST' && !Array.isArray(body))
    throw new Refused(json(400, { non_field_errors: ['Expected a list of items but got type "dict".'] }))
  const written = domain.write(method, body)
  return json(method === 'POST' ? 201 : 200, Array.isArray(body) ? written : written[0], ALLOW)
}

/** `@` is the apex here and nowhere else; three dots may stand after the name. */
function oneRRset(
  request: SimulatorRequest,
  domain: DesecDomain,
  place: string,
  type: string,
): SimulatorAnswer {
  const subname = place === '@' ? '' : place.replace(/\.\.\.$/, '')
  const { method } = request
  if (method === 'DELETE') {
    domain.delete(subname, type)
    return { status: 204, headers: ALLOW }
  }
  const found = domain.get(subname, type)
  if (found === null) throw detail(404, 'No RRset matches the given query.')
  if (method === 'GET') return json(200, found, ALLOW)
  if (method !== 'PUT' && method !== 'PATCH') throw notAllowed(request)
  const body = parse(request, malformed)
  const [written] = domain.write(method, { ...(isBody(body) ? body : {}), subname, type })
  return written === undefined ? { status: 204, headers: ALLOW } : json(200, written, ALLOW)
}

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
