import { randomBytes } from 'node:crypto'
import { CallRate, Refused, json, orRefused, parse } from './answers.ts'
import { IonosZone, failure, invalid } from './ionos-zone.ts'
import { startServer, type SimulatorAnswer, type SimulatorRequest, type SimulatorServer } from './server.ts'

export interface FakeIonos extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  /** With its prefix. */
  apiKey: string
  createZone(name: string): IonosZone
  deleteZone(name: string): void
  zoneNames(): string[]
}

const PREFIX = '/dns/v1'

/**
 * The DNS API of IONOS for developers over a socket. `rate`: calls that are taken in an hour. Zones come and go with the
 * domains of the account.
 */
export async function startFakeIonos({ rate = Infinity } = {}): Promise<FakeIonos> {
  const api = new Api(rate)
  const server = await startServer((request) => orRefused(() => api.answer(request)))
  return {
    ...server,
    apiUrl: `${server.url}${PREFIX}`,
    apiKey: api.apiKey,
    createZone: (name) => api.createZone(name),
    deleteZone: (name) => void api.zones.delete(name),
    zoneNames: () => [...api.zones.keys()],
  }
}

export const unauthorized = () =>
  failure(401, 'UNAUTHORIZED', 'The customer is not authorized to do this operation.')
export const forbidden = () => failure(403, 'FORBIDDEN', 'The customer is not allowed to do this operation.')
export const tooMany = () => failure(429, 'TOO_MANY_REQUESTS', 'Too many requests.')
/** Without words. */
export const internal = () => failure(500, 'INTERNAL_SERVER_ERROR')

const badJson = invalid({}, 'name').answer
const noRoute = () => new Refused({ status: 404 })
const done: SimulatorAnswer = { status: 200 }

class Api {
  readonly zones = new Map<string, IonosZone>()
  readonly apiKey = `${randomBytes(16).toString('hex')}.${randomBytes(32).toString('base64url')}`
  readonly #rate: CallRate

  constructor(rate: number) {
    this.#rate = new CallRate(rate, 3600)
  }

  createZone(name: string): IonosZone {
    const zone = new IonosZone(name)
    this.zones.set(name, zone)
    return zone
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    if (!this.#rate.take().taken) throw tooMany()
    if (request.headers['x-api-key'] !== this.apiKey) throw unauthorized()
    const path = request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length) : ''
    const [area, id, part, record, ...rest] = path.slice(1).split('/')
    if (area !== 'zones' || rest.length > 0) throw noRoute()
    if (id === undefined) {
      if (request.method !== 'GET') throw new Refused({ status: 405 })
      return json(200, [...this.zones.values()].map(shown))
    }
    const zone = [...this.zones.values()].find((each) => each.id === id)
    if (zone === undefined) throw failure(404, 'ZONE_NOT_FOUND', 'Zone does not exist.')
    if (part === undefined) return oneZone(request, zone)
    if (part !== 'records') throw noRoute()
    return record === undefined ? create(request, zone) : oneRecord(request, zone, record)
  }
}

const shown = ({ id, name }: IonosZone) => ({ name, id, type: 'NATIVE' })

function oneZone(request: SimulatorRequest, zone: IonosZone): SimulatorAnswer {
  const { method } = request
  if (method === 'GET') return json(200, { ...shown(zone), records: found(request, zone) })
  if (method === 'PATCH') zone.patch(parse(request, badJson))
  else if (method === 'PUT') zone.replace(parse(request, badJson))
  else throw new Refused({ status: 405 })
  return done
}

/** Names are asked for with the zone's; one that is relative is refused. */
function found({ query }: SimulatorRequest, zone: IonosZone) {
  const [name, type, suffix] = ['recordName', 'recordType', 'suffix'].map((key) => query.get(key))
  const isInZone = (wanted: string) => wanted === zone.name || wanted.endsWith(`.${zone.name}`)
  const names = name?.toLowerCase().split(',')
  if (names?.some((one) => !isInZone(one)) === true) throw invalid({ name }, 'recordName')
  return zone.records.filter(
    (record) =>
      (names === undefined || names.includes(record.name)) &&
      (type?.split(',').includes(record.type) ?? true) &&
      record.name.endsWith(suffix ?? ''),
  )
}

function create(request: SimulatorRequest, zone: IonosZone): SimulatorAnswer {
  if (request.method !== 'POST') throw new Refused({ status: 405 })
  return json(201, zone.create(parse(request, badJson)))
}

function oneRecord(request: SimulatorRequest, zone: IonosZone, id: string): SimulatorAnswer {
  const { method } = request
  if (method === 'GET') return json(200, zone.get(id))
  if (method === 'PUT') return json(200, zone.put(id, parse(request, badJson)))
  if (method !== 'DELETE') throw new Refused({ status: 405 })
  zone.delete(id)
  return done
}
