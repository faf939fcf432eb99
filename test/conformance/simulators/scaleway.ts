import { randomUUID } from 'node:crypto'
import { CallRate, Refused, isBody, json, orRefused, pageOf, parse, textOf, type Body } from './answers.ts'
import { NAME_SERVERS, ScalewayZone, failure, invalid, notFound } from './scaleway-zone.ts'
import {
  isWrite,
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
  type SimulatorServer,
} from './server.ts'

export interface FakeScaleway extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  secretKey: string
  /** Of a key that may only read. */
  readKey: string
  projectId: string
  /** The domains of the account: only below them there are zones. */
  registered: Set<string>
  createZone(name: string): ScalewayZone
  deleteZone(name: string): void
  zoneNames(): string[]
}

const PREFIX = '/domain/v2beta1'
const PAGES = { size: 20, most: 1000, by: 'page_size' }
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Scaleway's Domains and DNS API v2beta1 over a socket. `rate`: calls that are taken in a minute; how many the real one
 * takes is not documented. Nor is what it says to a record that is there already: it is refused.
 */
export async function startFakeScaleway({ rate = Infinity } = {}): Promise<FakeScaleway> {
  const api = new Api(rate)
  const server = await startServer((request) => orRefused(() => api.answer(request)))
  return {
    ...server,
    apiUrl: `${server.url}${PREFIX}`,
    secretKey: api.secretKey,
    readKey: api.readKey,
    projectId: api.projectId,
    registered: api.registered,
    createZone: (name) => api.createZone(name),
    deleteZone: (name) => void api.zones.delete(name),
    zoneNames: () => [...api.zones.keys()],
  }
}

export const unauthorized = () =>
  failure(401, 'denied_authentication', 'authentication is denied', {
    method: 'api_key',
    reason: 'invalid_argument',
  })
export const forbidden = (action = 'write') =>
  failure(403, 'permissions_denied', 'insufficient permissions', {
    details: [{ resource: 'domain', action }],
  })
export const tooMany = () => failure(429, 'too_many_requests', 'too many requests')
export const internal = () => failure(500, 'internal', 'internal error')

const badJson = failure(400, 'invalid_request_error', 'invalid JSON body').answer
const noRoute = () => new Refused({ status: 404, body: '404 page not found' })

class Api {
  readonly zones = new Map<string, ScalewayZone>()
  readonly registered = new Set<string>()
  readonly secretKey = randomUUID()
  readonly readKey = randomUUID()
  readonly projectId = randomUUID()
  readonly #rate: CallRate

  constructor(rate: number) {
    this.#rate = new CallRate(rate, 60)
  }

  /** Below the registered domain; where there is none, the name is one. */
  createZone(name: string): ScalewayZone {
    const domain = this.#domainOf(name) ?? name
    const zone = new ScalewayZone(domain, name.slice(0, -domain.length - 1), this.projectId)
    this.zones.set(zone.name, zone)
    return zone
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    if (!this.#rate.take().taken) throw tooMany()
    const key = request.headers['x-auth-token']
    if (key !== this.secretKey && key !== this.readKey) throw unauthorized()
    if (key === this.readKey && isWrite(request)) throw forbidden()
    const path = request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length) : ''
    const [area, name, part, ...rest] = path.slice(1).split('/').map(decodeURIComponent)
    if (area === 'domains' && name === undefined) return this.#domains(request)
    if (area !== 'dns-zones' || rest.length > 0) throw noRoute()
    if (name === undefined) return this.#collection(request)
    if (part === undefined) return this.#oneZone(request, name)
    if (part !== 'records') throw noRoute()
    return request.method === 'PATCH' ? this.#patch(request, name) : this.#records(request, name)
  }

  #domainOf(name: string): string | undefined {
    const names = name.split('.').map((_, i, labels) => labels.slice(i).join('.'))
    return names.find((each) => this.registered.has(each))
  }

  /** Of others' domains it says that they are others'. */
  #zone(name: string, action?: string): ScalewayZone {
    const zone = this.zones.get(name)
    if (zone !== undefined) return zone
    throw this.#domainOf(name) === undefined ? forbidden(action) : notFound('dns_zone', name)
  }

  #domains(request: SimulatorRequest): SimulatorAnswer {
    const all = [...this.registered].map((domain) => ({
      domain,
      project_id: this.projectId,
      status: 'active',
    }))
    return page(request, 'domains', all)
  }

  #collection(request: SimulatorRequest): SimulatorAnswer {
    if (request.method === 'POST') return this.#create(asBody(parse(request, badJson)))
    if (request.method !== 'GET') throw noRoute()
    const { query } = request
    const project = query.get('project_id') ?? ''
    if (project !== '' && !UUID.test(project)) throw invalid('project_id', 'must be a UUID')
    const names = [...query.getAll('dns_zones'), ...query.getAll('dns_zone')].filter((name) => name !== '')
    const found = [...this.zones.values()].filter(
      (zone) =>
        (project || zone.projectId) === zone.projectId &&
        (query.get('domain') || zone.domain) === zone.domain &&
        (names.length === 0 || names.includes(zone.name)),
    )
    const answer = page(request, 'dns_zones', found.map(shown))
    // What was changed is in force some time later.
    for (const zone of found) if (zone.status === 'pending' && --zone.unfinished <= 0) zone.status = 'active'
    return answer
  }

  #create({ domain, subdomain, project_id }: Body): SimulatorAnswer {
    if (typeof domain !== 'string' || typeof subdomain !== 'string') throw invalid('domain', 'is required')
    if (project_id !== undefined && project_id !== this.projectId) throw forbidden()
    if (!this.registered.has(domain)) throw notFound('domain', domain)
    const name = subdomain === '' ? domain : `${subdomain}.${domain}`
    if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(name)) throw invalid('subdomain', 'is not valid')
    if (this.zones.has(name))
      throw failure(409, 'resource_already_in_use', 'dns zone already exists', { resource: 'dns_zone' })
    return json(200, shown(this.createZone(name)))
  }

  #oneZone(request: SimulatorRequest, name: string): SimulatorAnswer {
    if (request.method !== 'DELETE') throw noRoute()
    const project = request.query.get('project_id')
    if (project !== null && project !== this.projectId) throw forbidden()
    this.zones.delete(this.#zone(name).name)
    return json(200, {})
  }

  /** A zone that is not there is made, unless that is said not to be wanted. */
  #patch(request: SimulatorRequest, name: string): SimulatorAnswer {
    const { changes, disallow_new_zone_creation, return_all_records } = asBody(parse(request, badJson))
    const isMissing = !this.zones.has(name) && this.#domainOf(name) !== undefined
    if (isMissing && disallow_new_zone_creation !== true) this.createZone(name)
    const zone = this.#zone(name)
    const made = zone.patch(changes)
    return json(200, { records: return_all_records === true ? zone.records : made })
  }

  /** Without a name, which '' is too, all of them. */
  #records(request: SimulatorRequest, name: string): SimulatorAnswer {
    const zone = this.#zone(name, 'read')
    if (request.method === 'DELETE') return json(200, { records: zone.patch([{ clear: {} }]) })
    if (request.method !== 'GET') throw noRoute()
    const { query } = request
    const type = query.get('type') ?? 'unknown'
    const wanted = textOf(query.get('name')).toLowerCase()
    const id = textOf(query.get('id'))
    const found = zone.records.filter(
      (record) =>
        (wanted === '' || record.name === wanted.replace(/^@$/, '')) &&
        (type === 'unknown' || record.type === type) &&
        (id === '' || record.id === id),
    )
    return page(request, 'records', found)
  }
}

const asBody = (value: unknown): Body => (isBody(value) ? value : {})

const shown = ({ domain, subdomain, status, updatedAt, projectId }: ScalewayZone) => ({
  domain,
  subdomain,
  ns: NAME_SERVERS,
  ns_default: NAME_SERVERS,
  ns_master: [],
  status,
  message: null,
  updated_at: updatedAt.toISOString(),
  project_id: projectId,
  linked_products: [],
})

function page({ query }: SimulatorRequest, collection: string, all: unknown[]): SimulatorAnswer {
  const found = pageOf(all, query, PAGES)
  if (found === null) throw invalid('page_size', `must be between 1 and ${PAGES.most}`)
  return json(200, { [collection]: found.items, total_count: all.length })
}
