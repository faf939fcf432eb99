import { randomBytes } from 'node:crypto'
import { CallRate, json, orRefused, parse } from './answers.ts'
import { GoDaddyDomain, failure, notFound, type GoDaddyRecord } from './godaddy-domain.ts'
import { startServer, type SimulatorAnswer, type SimulatorRequest, type SimulatorServer } from './server.ts'

export interface FakeGoDaddy extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  key: string
  secret: string
  /** Of an account with too few domains: known, and may do nothing. */
  deniedKey: string
  createDomain(name: string): GoDaddyDomain
  deleteDomain(name: string): void
  domainNames(): string[]
}

const PREFIX = '/v1'
const DOMAINS = { size: 100, most: 1000 }
const RECORDS = { size: 500, most: 500 }

/** GoDaddy's API v1 over a socket. `rate`: calls that are taken in a minute, of the real one 60. */
export async function startFakeGoDaddy({ rate = Infinity } = {}): Promise<FakeGoDaddy> {
  const api = new Api(rate)
  const server = await startServer((request) => orRefused(() => api.answer(request)))
  return {
    ...server,
    apiUrl: server.url,
    key: api.key,
    secret: api.secret,
    deniedKey: api.deniedKey,
    createDomain: (name) => api.createDomain(name),
    deleteDomain: (name) => void api.domains.delete(name),
    domainNames: () => [...api.domains.keys()],
  }
}

export const unauthorized = () =>
  failure(401, 'UNABLE_TO_AUTHENTICATE', 'Unauthorized : Could not authenticate API key/secret')
export const denied = () => failure(403, 'ACCESS_DENIED', 'Authenticated user is not allowed access')
/** How long to wait stands in the body alone. */
export const tooMany = (retryAfterSec = 30) =>
  failure(429, 'TOO_MANY_REQUESTS', 'Too many requests received within interval', { retryAfterSec })

const badJson = failure(400, 'MALFORMED_BODY', 'Request body is not valid JSON').answer
const noPlace = () => notFound('The resource was not found')
const notAllowed = () => failure(405, 'METHOD_NOT_ALLOWED', 'The method is not allowed')
const done: SimulatorAnswer = { status: 200 }

class Api {
  readonly domains = new Map<string, GoDaddyDomain>()
  readonly key = `fake_godaddy_${randomBytes(8).toString('hex')}`
  readonly secret = randomBytes(11).toString('hex')
  readonly deniedKey = `fake_godaddy_${randomBytes(8).toString('hex')}`
  readonly #rate: CallRate
  #ids = 261_238_996

  constructor(rate: number) {
    this.#rate = new CallRate(rate, 60)
  }

  createDomain(name: string): GoDaddyDomain {
    const domain = new GoDaddyDomain(name, ++this.#ids)
    this.domains.set(name, domain)
    return domain
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    const { authorization } = request.headers
    if (authorization === `sso-key ${this.deniedKey}:${this.secret}`) throw denied()
    if (authorization !== `sso-key ${this.key}:${this.secret}`) throw unauthorized()
    const { taken, resetMs } = this.#rate.take()
    if (!taken) throw tooMany(Math.ceil((resetMs - Date.now()) / 1000))
    const path = request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length) : ''
    const [area, name, part, type, owner, ...rest] = path.slice(1).split('/').map(decodeURIComponent)
    if (area !== 'domains' || rest.length > 0) throw noPlace()
    if (name === undefined || name === '') return this.#list(request)
    const domain = this.domains.get(name)
    if (domain === undefined) throw notFound(`Domain ${name} not found for shopper`)
    // A domain is bought and given up here, and not only its zone: nothing but looking is taken.
    if (part === undefined && request.method !== 'GET') throw notAllowed()
    if (part === undefined) return json(200, shown(domain))
    if (part !== 'records') throw noPlace()
    return records(request, domain, type, owner)
  }

  /** `marker`: the last name of the page before. */
  #list({ method, query }: SimulatorRequest): SimulatorAnswer {
    if (method !== 'GET') throw notAllowed()
    const limit = readNumber(query, 'limit', DOMAINS)
    const [marker, statuses] = [query.get('marker') ?? '', query.get('statuses')]
    const all = [...this.domains.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
    const found = all.filter(
      ({ name }) => name > marker && (statuses === null || statuses.split(',').includes('ACTIVE')),
    )
    return json(200, found.slice(0, limit).map(shown))
  }
}

function readNumber(query: URLSearchParams, field: string, { size, most }: { size: number; most: number }) {
  const value = Number(query.get(field) ?? size)
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw failure(422, 'INVALID_QUERY', `${field} must be between 1 and ${most}`, {
      fields: [{ code: 'INVALID', message: `is not between 1 and ${most}`, path: field }],
    })
  return value
}

const shown = ({ name, id, createdAt, nameServers }: GoDaddyDomain) => ({
  createdAt,
  domain: name,
  domainId: id,
  expirationProtected: false,
  expires: '2030-02-02T14:26:44.000Z',
  exposeWhois: false,
  holdRegistrar: false,
  locked: true,
  nameServers,
  privacy: false,
  renewAuto: true,
  renewable: true,
  status: 'ACTIVE',
  transferProtected: false,
})

function records(
  request: SimulatorRequest,
  domain: GoDaddyDomain,
  type?: string,
  name?: string,
): SimulatorAnswer {
  const { method, query } = request
  if (method === 'GET') {
    const isWanted = (record: GoDaddyRecord) =>
      record.type === (type ?? record.type) && record.name === (name ?? record.name)
    return page(domain.records.filter(isWanted), query)
  }
  if (method === 'DELETE') {
    if (type === undefined || name === undefined) throw notAllowed()
    domain.delete(type, name)
    return { status: 204 }
  }
  if (method === 'PATCH' && type === undefined) {
    domain.patch(parse(request, badJson))
    return done
  }
  if (method !== 'PUT') throw notAllowed()
  domain.put(parse(request, badJson), type, name)
  return done
}

/** `offset` counts pages, from 1 (terraform-provider-godaddy #44); a page behind the last is empty. */
function page(all: GoDaddyRecord[], query: URLSearchParams): SimulatorAnswer {
  const limit = readNumber(query, 'limit', RECORDS)
  const offset = readNumber(query, 'offset', { size: 1, most: Infinity })
  return json(200, all.slice((offset - 1) * limit, offset * limit))
}
