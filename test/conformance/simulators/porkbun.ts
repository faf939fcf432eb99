import { randomBytes } from 'node:crypto'
import { CallRate, isBody, json, orRefused, parse, type Body } from './answers.ts'
import { PorkbunDomain, failure } from './porkbun-domain.ts'
import { startServer, type SimulatorAnswer, type SimulatorRequest, type SimulatorServer } from './server.ts'

export interface FakePorkbun extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  key: string
  secret: string
  createDomain(name: string): PorkbunDomain
  deleteDomain(name: string): void
  domainNames(): string[]
}

const PREFIX = '/api/json/v3'
const DOMAINS_PAGE = 1000

/** Each call is a POST. */
const isChange = ({ path }: SimulatorRequest): boolean => /\/dns\/(create|edit|delete)/.test(path)

/** Porkbun's API v3 over a socket. `rate`: calls that are taken in a minute; of the real one nothing is known. */
export async function startFakePorkbun({ rate = Infinity } = {}): Promise<FakePorkbun> {
  const api = new Api(rate)
  const server = await startServer((request) => orRefused(() => api.answer(request)), isChange)
  return {
    ...server,
    apiUrl: `${server.url}${PREFIX}`,
    key: api.key,
    secret: api.secret,
    createDomain: (name) => api.createDomain(name),
    deleteDomain: (name) => void api.domains.delete(name),
    domainNames: () => [...api.domains.keys()],
  }
}

export const wrongKey = () => failure('Invalid API key. (001)')
export const wrongSecret = () => failure('Invalid API key. (002)')
export const notOptedIn = () =>
  failure(
    'Domain is not opted in to API access. You can enable API access for all domains globally from your account settings at porkbun.com.',
  )

/** By a proxy before it. */
const tooMany: SimulatorAnswer = {
  status: 503,
  headers: { 'content-type': 'text/html', 'retry-after': '1' },
  body: '<html><body>503 Service Temporarily Unavailable</body></html>',
}
const badJson = failure('Invalid JSON.').answer
const success = (more: object = {}) => json(200, { status: 'SUCCESS', ...more })

class Api {
  readonly domains = new Map<string, PorkbunDomain>()
  readonly key = `pk1_${randomBytes(32).toString('hex')}`
  readonly secret = `sk1_${randomBytes(32).toString('hex')}`
  readonly #rate: CallRate

  constructor(rate: number) {
    this.#rate = new CallRate(rate, 60)
  }

  createDomain(name: string): PorkbunDomain {
    const domain = new PorkbunDomain(name)
    this.domains.set(name, domain)
    return domain
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    if (!this.#rate.take().taken) return tooMany
    if (request.method !== 'POST') throw failure('Invalid request method.', 405)
    const sent = parse(request, badJson)
    const body = isBody(sent) ? sent : {}
    if (body['apikey'] !== this.key) throw wrongKey()
    if (body['secretapikey'] !== this.secret) throw wrongSecret()
    const path = request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length) : ''
    const [area, command, name, ...rest] = path.slice(1).split('/').map(decodeURIComponent)
    if (area === 'ping' && command === undefined)
      return success({ yourIp: '192.0.2.1', xForwardedFor: '192.0.2.1' })
    if (area === 'domain' && command === 'listAll' && name === undefined) return this.#list(body)
    const domain = this.domains.get(name ?? '')
    if (area !== 'dns' || command === undefined) throw failure('Invalid command.', 404)
    if (domain === undefined) throw failure('Invalid domain.')
    if (!domain.isOptedIn) throw notOptedIn()
    return records(command, domain, rest, body)
  }

  /** Also of those that the API is not let at. */
  #list({ start = 0 }: Body): SimulatorAnswer {
    const from = Number(start)
    if (!Number.isInteger(from) || from < 0) throw failure('Invalid start.')
    const domains = [...this.domains.values()].slice(from, from + DOMAINS_PAGE).map(shown)
    return success({ domains })
  }
}

const shown = ({ name, createDate }: PorkbunDomain) => ({
  domain: name,
  status: 'ACTIVE',
  tld: name.slice(name.lastIndexOf('.') + 1),
  createDate,
  expireDate: '2030-01-01 00:00:00',
  securityLock: '1',
  whoisPrivacy: '1',
  autoRenew: 0,
  notLocal: 0,
})

/** `place`: an id, or a type and a name. */
function records(command: string, domain: PorkbunDomain, place: string[], body: Body): SimulatorAnswer {
  const [first = '', name = ''] = place
  const listed = (all: unknown[]) => success({ cloudflare: 'enabled', records: all })
  switch (command) {
    case 'retrieve':
      return listed(domain.records.filter(({ id }) => first === '' || id === first))
    case 'retrieveByNameType':
      return listed(domain.named(first, name))
    case 'create':
      return success({ id: domain.create(body) })
    case 'edit':
      domain.edit(first, body)
      return success()
    case 'delete':
      domain.delete(first)
      return success()
    case 'editByNameType':
      for (const { id } of domain.named(first, name)) domain.edit(id, { ...body, type: first, name })
      return success()
    case 'deleteByNameType':
      for (const { id } of domain.named(first, name)) domain.delete(id)
      return success()
    default:
      throw failure(`Invalid command ${command}.`, 404)
  }
}
