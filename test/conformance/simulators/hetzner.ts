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
  type Body,
} from './answers.ts'
import { HetznerActions, failure, type HetznerAction } from './hetzner-actions.ts'
import { HetznerZone, NAME_SERVERS, invalid } from './hetzner-zone.ts'
import {
  isWrite,
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
  type SimulatorServer,
} from './server.ts'

export interface FakeHetzner extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  token: string
  /** Of a token that may only read. */
  readToken: string
  actions: HetznerActions
  createZone(name: string): HetznerZone
  deleteZone(name: string): void
  zoneNames(): string[]
}

const PREFIX = '/v1'
const ZONES = { size: 25, most: 50 }
const RRSETS = { size: 25, most: 100 }

/** Hetzner's Cloud API over a socket. `hourly`: calls that are taken in an hour, of the real one 3600. */
export async function startFakeHetzner({ hourly = 1_000_000 } = {}): Promise<FakeHetzner> {
  const api = new Api(hourly)
  const server = await startServer((request) => api.answer(request))
  return {
    ...server,
    apiUrl: `${server.url}${PREFIX}`,
    token: api.token,
    readToken: api.readToken,
    actions: api.actions,
    createZone: (name) => api.createZone(name),
    deleteZone: (name) => api.deleteZone(name),
    zoneNames: () => [...api.zones.values()].map(({ name }) => name),
  }
}

export const unauthorized = () => failure(401, 'unauthorized', 'unable to authenticate')
export const readOnly = () =>
  failure(403, 'token_readonly', 'the token is only allowed to perform GET requests')
export const tooMany = () =>
  failure(429, 'rate_limit_exceeded', 'rate limit of 3600 requests per hour reached')

const badJson = failure(400, 'json_error', 'invalid JSON in the request').answer
const noRoute = () => failure(404, 'not_found', 'not found')
const notAllowed = () => failure(405, 'method_not_allowed', 'method not allowed')
const noZone = () => failure(404, 'not_found', 'Zone not found')

class Api {
  readonly zones = new Map<number, HetznerZone>()
  readonly actions = new HetznerActions()
  readonly token = randomBytes(32).toString('hex')
  readonly readToken = randomBytes(32).toString('hex')
  readonly #rate: CallRate

  constructor(hourly: number) {
    this.#rate = new CallRate(hourly, 3600)
  }

  createZone(name: string, ttl?: number): HetznerZone {
    const zone = new HetznerZone(name, ttl)
    this.zones.set(zone.id, zone)
    return zone
  }

  deleteZone(name: string): void {
    for (const zone of this.zones.values()) if (zone.name === name) this.zones.delete(zone.id)
  }

  async answer(request: SimulatorRequest): Promise<SimulatorAnswer> {
    const count = this.#rate.take()
    const answer = await orRefused(() => {
      const token = bearerOf(request)
      if (token !== this.token && token !== this.readToken) throw unauthorized()
      if (!count.taken) throw tooMany()
      if (token === this.readToken && isWrite(request)) throw readOnly()
      return this.#route(request)
    })
    return { ...answer, headers: { ...answer.headers, ...rateHeaders(this.#rate, count) } }
  }

  #route(request: SimulatorRequest): SimulatorAnswer {
    const path = request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length) : ''
    const [area, id, part, ...rest] = path.slice(1).split('/').map(decodeURIComponent)
    if (area === 'actions' && id !== undefined && part === undefined) return this.#action(request, id)
    if (area !== 'zones') throw noRoute()
    if (id === undefined) return this.#collection(request)
    if (id === 'actions' && part !== undefined && rest.length === 0) return this.#action(request, part)
    const zone = [...this.zones.values()].find(({ id: number, name }) => id === name || id === String(number))
    if (zone === undefined) throw noZone()
    if (part === undefined) return this.#zone(request, zone)
    if (part !== 'rrsets') throw noRoute()
    const [name, type, actions, action, ...more] = rest
    if (name === undefined) return this.#rrsets(request, zone)
    if (type === undefined || more.length > 0) throw noRoute()
    if (actions === undefined) return this.#rrset(request, zone, name, type)
    if (actions !== 'actions' || action === undefined) throw noRoute()
    return this.#change(request, zone, name, type, action)
  }

  #action(request: SimulatorRequest, id: string): SimulatorAnswer {
    if (request.method !== 'GET') throw notAllowed()
    return json(200, { action: this.actions.look(Number(id)) })
  }

  #collection(request: SimulatorRequest): SimulatorAnswer {
    const { method, query } = request
    if (method === 'GET') {
      const name = query.get('name')
      const found = [...this.zones.values()].filter((zone) => (name ?? zone.name) === zone.name)
      return page(request, 'zones', found.map(shown), ZONES)
    }
    if (method !== 'POST') throw notAllowed()
    const { name, mode, ttl } = readBody(request)
    if (typeof name !== 'string' || !/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(name))
      throw invalid('name', 'is not a valid zone name')
    if (mode !== 'primary' && mode !== 'secondary') throw invalid('mode', 'is required')
    if ([...this.zones.values()].some((zone) => zone.name === name))
      throw failure(409, 'uniqueness_error', 'Zone already exists', { fields: [{ name: 'name' }] })
    const zone = this.createZone(name, typeof ttl === 'number' ? ttl : undefined)
    zone.mode = mode
    const action = this.actions.start('create_zone', zone.id, () => undefined)
    return json(201, { zone: shown(zone), action })
  }

  #zone(request: SimulatorRequest, zone: HetznerZone): SimulatorAnswer {
    const { method } = request
    if (method === 'PUT') {
      const { labels } = readBody(request)
      if (isBody(labels)) zone.labels = labels as Record<string, string>
    }
    if (method === 'GET' || method === 'PUT') return json(200, { zone: shown(zone) })
    if (method !== 'DELETE') throw notAllowed()
    if (zone.isProtected) throw failure(423, 'protected', 'Zone is protected against deletion')
    return accepted(this.actions.start('delete_zone', zone.id, () => void this.zones.delete(zone.id)))
  }

  #rrsets(request: SimulatorRequest, zone: HetznerZone): SimulatorAnswer {
    const { method, query } = request
    if (method === 'POST') {
      const { rrset, effect } = zone.create(readBody(request))
      return json(201, { rrset, action: this.actions.start('create_rrset', zone.id, effect) })
    }
    if (method !== 'GET') throw notAllowed()
    const [name, types] = [query.get('name'), query.getAll('type')]
    const wanted = zone.rrsets.filter(
      (rrset) => (name ?? rrset.name) === rrset.name && (types.length === 0 || types.includes(rrset.type)),
    )
    return page(request, 'rrsets', wanted, RRSETS)
  }

  #rrset(request: SimulatorRequest, zone: HetznerZone, name: string, type: string): SimulatorAnswer {
    const { method } = request
    if (method === 'GET') return json(200, { rrset: zone.get(name, type) })
    if (method === 'PUT') return json(200, { rrset: zone.putLabels(name, type, readBody(request)) })
    if (method !== 'DELETE') throw notAllowed()
    return accepted(this.actions.start('delete_rrset', zone.id, zone.delete(name, type)))
  }

  #change(
    request: SimulatorRequest,
    zone: HetznerZone,
    name: string,
    type: string,
    action: string,
  ): SimulatorAnswer {
    if (request.method !== 'POST') throw notAllowed()
    const [command, change] = CHANGES[action] ?? []
    if (command === undefined || change === undefined) throw noRoute()
    return accepted(this.actions.start(command, zone.id, change(zone, name, type, readBody(request))))
  }
}

type Change = (zone: HetznerZone, name: string, type: string, body: Body) => () => void

const CHANGES: Record<string, [command: string, change: Change]> = {
  set_records: ['set_rrset_records', (zone, ...rest) => zone.setRecords(...rest)],
  add_records: ['add_rrset_records', (zone, ...rest) => zone.addRecords(...rest)],
  remove_records: ['remove_rrset_records', (zone, ...rest) => zone.removeRecords(...rest)],
  update_records: ['update_rrset_records', (zone, ...rest) => zone.updateRecords(...rest)],
  change_ttl: ['change_rrset_ttl', (zone, ...rest) => zone.changeTtl(...rest)],
  change_protection: ['change_rrset_protection', (zone, ...rest) => zone.changeProtection(...rest)],
}

const accepted = (action: HetznerAction) => json(201, { action })

function readBody(request: SimulatorRequest): Body {
  const body = parse(request, badJson)
  if (!isBody(body)) throw new Refused(badJson)
  return body
}

const shown = (zone: HetznerZone) => ({
  id: zone.id,
  name: zone.name,
  mode: zone.mode,
  ttl: zone.ttl,
  labels: zone.labels,
  primary_nameservers: [],
  created: zone.created,
  protection: { delete: zone.isProtected },
  status: 'ok',
  authoritative_nameservers: {
    assigned: NAME_SERVERS,
    delegated: NAME_SERVERS,
    delegation_last_check: zone.created,
    delegation_status: 'valid',
  },
  record_count: zone.rrsets.length,
  registrar: 'hetzner',
})

function page(
  request: SimulatorRequest,
  collection: string,
  all: unknown[],
  limits: { size: number; most: number },
): SimulatorAnswer {
  const found = pageOf(all, request.query, limits)
  if (found === null) throw invalid('per_page', `must be between 1 and ${limits.most}`)
  const { items, page: at, size, pages: last } = found
  const pagination = {
    page: at,
    per_page: size,
    previous_page: at > 1 ? at - 1 : null,
    next_page: at < last ? at + 1 : null,
    last_page: last,
    total_entries: all.length,
  }
  return json(200, { [collection]: items, meta: { pagination } })
}
