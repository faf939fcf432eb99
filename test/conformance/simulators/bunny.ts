import { createHash, randomUUID } from 'node:crypto'
import { CallRate, Refused, isBody, json, orRefused, pageOf, parse, type Body } from './answers.ts'
import { BunnyZone, failure, invalid } from './bunny-zone.ts'
import { startServer, type SimulatorAnswer, type SimulatorRequest, type SimulatorServer } from './server.ts'

export interface FakeBunny extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  apiKey: string
  createZone(name: string): BunnyZone
  deleteZone(name: string): void
  zoneNames(): string[]
}

const PAGES = { size: 1000, least: 5, most: 1000, by: 'perPage' }
const NAME_SERVERS = { Nameserver1: 'kiki.bunny.net', Nameserver2: 'coco.bunny.net' }

/** bunny.net's API, as far as it is of DNS, over a socket. `rate`: calls that are taken in a minute. */
export async function startFakeBunny({ rate = Infinity } = {}): Promise<FakeBunny> {
  const api = new Api(rate)
  const server = await startServer((request) => orRefused(() => api.answer(request)))
  return {
    ...server,
    apiUrl: server.url,
    apiKey: api.apiKey,
    createZone: (name) => api.createZone(name),
    deleteZone: (name) => void api.zones.delete(name),
    zoneNames: () => [...api.zones.keys()],
  }
}

/** Without the form that all others have. */
export const unauthorized = () =>
  new Refused(json(401, { Message: 'Authorization has been denied for this request.' }))
export const forbidden = () => failure(403, 'forbidden', '', 'The action is forbidden')
export const tooMany = () => failure(429, 'too_many_requests', '', 'Too many requests')
export const internal = () => failure(500, 'internal_error', '', 'An internal error occurred')

const badJson = invalid('Value', 'The request body is not valid').answer
const notFound = () => failure(404, 'dnszone.not_found', 'ZoneId', 'The requested DNS zone was not found')
const notAllowed = () => new Refused({ status: 405 })
const noContent: SimulatorAnswer = { status: 204 }

class Api {
  readonly zones = new Map<string, BunnyZone>()
  readonly apiKey = `${randomUUID()}${randomUUID()}`
  readonly #rate: CallRate

  constructor(rate: number) {
    this.#rate = new CallRate(rate, 60)
  }

  createZone(name: string): BunnyZone {
    const zone = new BunnyZone(name)
    this.zones.set(name, zone)
    return zone
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    if (!this.#rate.take().taken) throw tooMany()
    if (request.headers['accesskey'] !== this.apiKey) throw unauthorized()
    const [area, id, part, record, ...rest] = request.path.slice(1).split('/')
    if (area !== 'dnszone' || rest.length > 0) throw new Refused({ status: 404 })
    if (id === undefined) return this.#collection(request)
    const zone = [...this.zones.values()].find((each) => String(each.id) === id)
    if (zone === undefined) throw notFound()
    if (part === undefined) return this.#oneZone(request, zone)
    if (part === 'dnssec') return dnssec(request, zone)
    if (part !== 'records') throw new Refused({ status: 404 })
    return records(request, zone, record)
  }

  /** With all their records. */
  #collection(request: SimulatorRequest): SimulatorAnswer {
    const { method, query } = request
    if (method === 'POST') return this.#create(parse(request, badJson))
    if (method !== 'GET') throw notAllowed()
    const all = [...this.zones.values()].filter(({ name }) => name.includes(query.get('search') ?? ''))
    const found = pageOf(all, query, PAGES)
    if (found === null || found.size < PAGES.least)
      throw failure(400, 'validation_error', 'perPage', `Must be between ${PAGES.least} and ${PAGES.most}`)
    return json(200, {
      Items: found.items.map(shown),
      CurrentPage: found.page,
      TotalItems: all.length,
      HasMoreItems: found.page < found.pages,
    })
  }

  #create(body: unknown): SimulatorAnswer {
    const given: Body = isBody(body) ? body : {}
    const name = given['Domain'] ?? given['domain']
    if (typeof name !== 'string' || !/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/.test(name))
      throw failure(400, 'dnszone.invalid_domain', 'Domain', 'The domain is not valid')
    if (this.zones.has(name))
      throw failure(400, 'dnszone.domain_taken', 'Domain', 'The domain is already added to an account')
    return json(201, shown(this.createZone(name)))
  }

  #oneZone({ method }: SimulatorRequest, zone: BunnyZone): SimulatorAnswer {
    if (method === 'GET') return json(200, shown(zone))
    if (method !== 'DELETE') throw notAllowed()
    this.zones.delete(zone.name)
    return noContent
  }
}

const shown = (zone: BunnyZone) => ({
  Id: zone.id,
  Domain: zone.name,
  Records: zone.records.map((record) => ({ ...record, IPGeoLocationInfo: null, GeolocationInfo: null })),
  DateModified: zone.created,
  DateCreated: zone.created,
  NameserversDetected: true,
  CustomNameserversEnabled: false,
  ...NAME_SERVERS,
  SoaEmail: 'hostmaster@bunny.net',
  LoggingEnabled: false,
  DnsSecEnabled: zone.signed,
  CertificateKeyType: 0,
})

/** Made by PUT, and changed by POST. */
function records(request: SimulatorRequest, zone: BunnyZone, id?: string): SimulatorAnswer {
  const { method } = request
  if (id === undefined) {
    if (method !== 'PUT') throw notAllowed()
    return json(201, zone.put(parse(request, badJson)))
  }
  if (method === 'DELETE') zone.delete(Number(id))
  else if (method === 'POST') zone.post(Number(id), parse(request, badJson))
  else throw notAllowed()
  return noContent
}

function dnssec({ method }: SimulatorRequest, zone: BunnyZone): SimulatorAnswer {
  if (method !== 'POST' && method !== 'DELETE') throw notAllowed()
  zone.signed = method === 'POST'
  const digest = createHash('sha256').update(zone.name).digest('hex').toUpperCase()
  const key = { KeyTag: 2371, Algorithm: 13, DigestType: 'SHA256', Digest: digest, Flags: 257 }
  const ds = {
    DsRecord: `${zone.name}. 3600 IN DS 2371 13 2 ${digest}`,
    PublicKey: 'mdsswUyr3DPW132mOi8V9xESWE8j',
  }
  return json(200, { Enabled: zone.signed, ...ds, ...key, DsConfigured: false })
}
