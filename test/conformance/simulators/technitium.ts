import { createHash, randomBytes } from 'node:crypto'
import { bearerOf, json, type Body } from './answers.ts'
import { startServer, type SimulatorAnswer, type SimulatorRequest, type SimulatorServer } from './server.ts'
import { Wrong, type Parameters } from './technitium-data.ts'
import { TechnitiumZone } from './technitium-zone.ts'

export interface TechnitiumSimulator extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  token: string
  /** Of a user who may only view. */
  readToken: string
  createZone(name: string, options?: { type?: string; internal?: boolean }): TechnitiumZone
  deleteZone(name: string): void
  zoneNames(): string[]
}

const PREFIX = '/api/'
const CHANGES = /\/(add|update|delete|create|enable|disable|sign|unsign)$/

/**
 * The HTTP API of a Technitium DNS Server 15 over a socket. What its documentation is silent about is refused: types
 * without parameters of their own, adding what is there.
 */
export async function startTechnitiumSimulator(): Promise<TechnitiumSimulator> {
  const api = new Api()
  // Its own, which are listed and can't be managed.
  for (const name of ['localhost', '127.in-addr.arpa']) api.createZone(name, { internal: true })
  const server = await startServer(
    (request) => api.answer(request),
    ({ path }) => CHANGES.test(path),
  )
  return {
    ...server,
    apiUrl: `${server.url}${PREFIX.slice(0, -1)}`,
    token: api.token,
    readToken: api.readToken,
    createZone: (name, options) => api.createZone(name, options),
    deleteZone: (name) => void api.zones.delete(name),
    zoneNames: () => [...api.zones.keys()],
  }
}

const ok = (response?: Body) => json(200, { ...(response && { response }), status: 'ok' })

/** All is 200: what went wrong stands in `status`. */
export const failed = (errorMessage: string) =>
  json(200, {
    status: 'error',
    errorMessage,
    stackTrace: '   at DnsServerCore.DnsWebService.WebServiceApiMiddleware(HttpContext context)',
  })
export const invalidToken = () =>
  json(200, { status: 'invalid-token', errorMessage: 'Invalid token or session expired.' })
export const accessDenied = () => failed('Access was denied.')

class Api {
  readonly zones = new Map<string, TechnitiumZone>()
  readonly token = randomBytes(32).toString('hex')
  readonly readToken = randomBytes(32).toString('hex')
  #call: Parameters = new URLSearchParams()

  createZone(name: string, options?: { type?: string; internal?: boolean }): TechnitiumZone {
    const zone = new TechnitiumZone(name, options)
    this.zones.set(name, zone)
    return zone
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    if (!['GET', 'POST'].includes(request.method)) return { status: 405 }
    const read = CALLS[request.path.slice(PREFIX.length)]
    if (read === undefined || !request.path.startsWith(PREFIX)) return { status: 404 }
    const call = parametersOf(request)
    const token = bearerOf(request) || (call.get('token') ?? '')
    if (token !== this.token && token !== this.readToken) return invalidToken()
    if (token === this.readToken && CHANGES.test(request.path)) return accessDenied()
    this.#call = call
    try {
      return read(this, call, token)
    } catch (error) {
      if (error instanceof Wrong) return failed(error.message)
      throw error
    }
  }

  /** The zone of the call, if need be by what is in it; only one's own can be managed. */
  zone({ changed = false } = {}): TechnitiumZone {
    const name = (this.#call.get('zone') ?? this.#call.get('domain') ?? '').toLowerCase()
    const zone = this.#call.has('zone') ? this.zones.get(name) : this.#closest(name)
    if (zone === undefined) throw new Wrong(`No such zone was found: ${name}`)
    if (zone.internal) throw new Wrong('Access was denied to manage internal DNS Server zone.')
    if (changed && zone.type !== 'Primary') throw new Wrong('The zone type does not support this operation.')
    return zone
  }

  #closest(name: string): TechnitiumZone | undefined {
    const parts = name.split('.')
    return parts.map((_, i) => this.zones.get(parts.slice(i).join('.'))).find((zone) => zone !== undefined)
  }
}

/** Of the address, and of a form. */
function parametersOf({ query, headers, body }: SimulatorRequest): Parameters {
  const isForm = String(headers['content-type']).startsWith('application/x-www-form-urlencoded')
  const all = new URLSearchParams(query)
  if (isForm) for (const [name, value] of new URLSearchParams(body)) all.set(name, value)
  return all
}

type Call = (api: Api, parameters: Parameters, token: string) => SimulatorAnswer

const CALLS: Record<string, Call> = {
  'user/session/get': (api, _, token) => json(200, { ...session(token === api.token, token), status: 'ok' }),
  'zones/list': listZones,
  'zones/create': create,
  'zones/delete': (api) => {
    api.zones.delete(api.zone().name)
    return ok({})
  },
  'zones/enable': (api) => enabled(api.zone(), true),
  'zones/disable': (api) => enabled(api.zone(), false),
  'zones/dnssec/sign': (api) => signed(api.zone({ changed: true }), true),
  'zones/dnssec/unsign': (api) => signed(api.zone({ changed: true }), false),
  'zones/dnssec/viewDS': (api) => viewDs(api.zone()),
  'zones/records/get': getRecords,
  'zones/records/add': (api, parameters) => {
    const zone = api.zone({ changed: true })
    return ok({ addedRecord: zone.add(parameters), zone: shown(zone) })
  },
  'zones/records/update': (api, parameters) => {
    const zone = api.zone({ changed: true })
    return ok({ updatedRecord: zone.update(parameters), zone: shown(zone) })
  },
  'zones/records/delete': (api, parameters) => {
    api.zone({ changed: true }).delete(parameters)
    return ok({})
  },
}

const may = (canModify: boolean) => ({ canView: true, canModify, canDelete: canModify })
const session = (canModify: boolean, token: string) => ({
  displayName: 'User',
  username: 'user',
  token,
  info: { version: '15.5.1', defaultRecordTtl: 3600, permissions: { Zones: may(canModify) } },
})

const shown = (zone: TechnitiumZone) => ({
  name: zone.name,
  type: zone.type,
  ...(zone.internal && { internal: true }),
  dnssecStatus: zone.signed ? 'SignedWithNSEC' : 'Unsigned',
  soaSerial: zone.serial,
  disabled: zone.disabled,
})

/** All where no page is asked for. */
function listZones({ zones }: Api, parameters: Parameters): SimulatorAnswer {
  const all = [...zones.values()].map(shown).sort((a, b) => (a.name < b.name ? -1 : 1))
  const filter = parameters.get('filterName')
  const found = all.filter(({ name }) => filter === null || name === filter.toLowerCase())
  const page = Number(parameters.get('pageNumber') ?? 0)
  if (page === 0) return ok({ zones: found })
  const size = Number(parameters.get('zonesPerPage') ?? 10)
  const totalPages = Math.ceil(found.length / size)
  // Beyond the last there is the last.
  const pageNumber = Math.min(Math.max(1, page), Math.max(1, totalPages))
  const part = found.slice((pageNumber - 1) * size, pageNumber * size)
  return ok({ pageNumber, totalPages, totalZones: found.length, zones: part })
}

function create(api: Api, parameters: Parameters): SimulatorAnswer {
  const name = (parameters.get('zone') ?? '').toLowerCase()
  if (name === '') throw new Wrong("Parameter 'zone' missing.")
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name)) throw new Wrong(`Invalid domain name: ${name}`)
  if (parameters.get('type') !== 'Primary') throw new Wrong("Parameter 'type' missing.")
  if (api.zones.has(name)) throw new Wrong(`Zone already exists: ${name}`)
  return ok({ domain: api.createZone(name).name })
}

function enabled(zone: TechnitiumZone, isOn: boolean): SimulatorAnswer {
  zone.disabled = !isOn
  return ok({})
}

function signed(zone: TechnitiumZone, isOn: boolean): SimulatorAnswer {
  if (zone.signed === isOn) throw new Wrong(`Cannot ${isOn ? 'sign' : 'unsign'} zone: nothing to do.`)
  zone.signed = isOn
  return ok({})
}

function viewDs(zone: TechnitiumZone): SimulatorAnswer {
  if (!zone.signed) throw new Wrong('The zone must be signed with DNSSEC.')
  const digest = createHash('sha256').update(zone.name).digest('hex').toUpperCase()
  const key = { keyTag: 47_972, dnsKeyState: 'Ready', algorithm: 'ECDSAP256SHA256', publicKey: 'TK5a8p==' }
  return ok({ ...shown(zone), dsRecords: [{ ...key, digests: [{ digestType: 'SHA256', digest }] }] })
}

/** All of the zone only with `listZone`; else those of one name. */
function getRecords(api: Api, parameters: Parameters): SimulatorAnswer {
  const domain = parameters.get('domain')?.toLowerCase()
  if (domain === undefined) throw new Wrong("Parameter 'domain' missing.")
  const zone = api.zone()
  const isAll = parameters.get('listZone') === 'true'
  return ok({ zone: shown(zone), records: zone.records.filter(({ name }) => isAll || name === domain) })
}
