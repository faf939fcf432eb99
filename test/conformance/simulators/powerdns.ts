import { setTimeout as sleep } from 'node:timers/promises'
import { PowerDnsZone, Refusal, canonical, type PowerDnsRecord, type PowerDnsRRset } from './powerdns-zone.ts'
import {
  isWrite,
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
  type SimulatorServer,
} from './server.ts'

export interface PowerDnsSimulatorOptions {
  apiKey?: string
  /** Decides what `GET /zones/{id}` understands: rrset_name from 4.6, include_disabled from 5.0. */
  version?: string
  /** Whether search-data finds records; it doesn't with the LMDB backend before 5.0. */
  search?: boolean
  /** Milliseconds that a write takes. */
  writeMs?: number
  /** Fails a write that comes while another is under way, as on SQLite. */
  oneWriter?: boolean
}

export interface PowerDnsSimulator extends SimulatorServer {
  apiKey: string
  /** By name, without the final dot. */
  createZone(name: string): void
  deleteZone(name: string): void
  zoneNames(): string[]
  /** As a PATCH would; throws what it would refuse. */
  patch(zone: string, rrsets: unknown[]): void
  /** Everything in the zone, as PowerDNS would list it. */
  dump(zone: string): PowerDnsRRset[]
  /** How many writes were under way at the same time, since this was asked last. */
  writesAtOnce(): number
}

const PREFIX = '/api/v1/servers/localhost'
const MAX_BODY = 2 * 1024 * 1024

/** PowerDNS's HTTP API over a socket, with the answers of 4.7.3 (see test/subjects for the real one). */
export async function startPowerDnsSimulator(
  options: PowerDnsSimulatorOptions = {},
): Promise<PowerDnsSimulator> {
  const {
    apiKey = 'fake-api-key',
    version = '4.7.3',
    search = true,
    writeMs = 0,
    oneWriter = false,
  } = options
  const zones = new Map<string, PowerDnsZone>()
  const api = new Api(zones, version, search)
  const writes = { now: 0, most: 0 }
  const write = async (request: SimulatorRequest) => {
    writes.most = Math.max(writes.most, ++writes.now)
    try {
      if (oneWriter && writes.now > 1) return json(500, { error: 'Internal Server Error' })
      await sleep(writeMs)
      return api.answer(request)
    } finally {
      writes.now--
    }
  }
  const server = await startServer((request) => {
    if (request.headers['x-api-key'] !== apiKey) return unauthorized(request)
    return isWrite(request) && writeMs > 0 ? write(request) : api.answer(request)
  })
  const zone = (name: string): PowerDnsZone => {
    const found = zones.get(`${name}.`)
    if (found === undefined) throw new Error(`The simulator has no zone ${name}`)
    return found
  }
  return {
    ...server,
    apiKey,
    createZone: (name) => void zones.set(`${name}.`, new PowerDnsZone(`${name}.`)),
    deleteZone: (name) => void zones.delete(`${name}.`),
    zoneNames: () => [...zones.keys()].map((name) => name.slice(0, -1)),
    patch: (name, rrsets) => zone(name).patch(rrsets),
    dump: (name) => zone(name).rrsets,
    writesAtOnce: () => {
      const { most } = writes
      writes.most = 0
      return most
    },
  }
}

const json = (status: number, value: unknown): SimulatorAnswer => ({
  status,
  headers: { 'content-type': 'application/json', connection: 'close' },
  body: JSON.stringify(value),
})
const noContent: SimulatorAnswer = { status: 204, headers: { connection: 'close' } }
const notFound = json(404, { error: 'Not Found' })

function unauthorized(request: SimulatorRequest): SimulatorAnswer {
  const asJson = String(request.headers.accept).includes('json')
  const answer = asJson
    ? json(401, { error: 'Unauthorized' })
    : { status: 401, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'Unauthorized' }
  return { ...answer, headers: { ...answer.headers, 'www-authenticate': 'X-API-Key realm="PowerDNS"' } }
}

class Api {
  readonly #zones: Map<string, PowerDnsZone>
  readonly #version: string
  readonly #canSearch: boolean

  constructor(zones: Map<string, PowerDnsZone>, version: string, canSearch: boolean) {
    this.#zones = zones
    this.#version = version
    this.#canSearch = canSearch
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    if (!request.path.startsWith(PREFIX)) return notFound
    if (request.body.length > MAX_BODY) return { status: 400, body: 'Bad Request' }
    const [area = '', id, ...rest] = request.path.slice(PREFIX.length).replace(/^\//, '').split('/')
    try {
      if (rest.length > 0 && rest.join() !== 'cryptokeys') return notFound
      if (area === '') return this.#server(request)
      if (area === 'search-data') return this.#search(request.query)
      if (area !== 'zones') return notFound
      if (id === undefined) return this.#collection(request)
      return this.#zone(request, decodeURIComponent(id), rest.length > 0)
    } catch (error) {
      if (error instanceof Refusal) return json(422, { error: error.message })
      if (error instanceof SyntaxError) return json(400, { error: 'Bad Request' })
      throw error
    }
  }

  #server(request: SimulatorRequest): SimulatorAnswer {
    if (request.method !== 'GET') return methodNotAllowed
    return json(200, {
      daemon_type: 'authoritative',
      id: 'localhost',
      type: 'Server',
      url: PREFIX,
      version: this.#version,
      zones_url: `${PREFIX}/zones{/zone}`,
    })
  }

  #collection(request: SimulatorRequest): SimulatorAnswer {
    if (request.method === 'GET') {
      const wanted = request.query.get('zone')
      const zones = [...this.#zones.values()].filter((zone) => wanted === null || zone.name === wanted)
      return json(200, zones.map(zoneInfo))
    }
    if (request.method !== 'POST') return methodNotAllowed
    const body = JSON.parse(request.body) as Record<string, unknown>
    const name = canonical(String(body['name']))
    if (this.#zones.has(name)) return json(409, { error: 'Conflict' })
    const zone = new PowerDnsZone(name)
    if (Array.isArray(body['rrsets'])) {
      zone.patch(body['rrsets'].map((rrset: object) => ({ ...rrset, changetype: 'REPLACE' })))
    }
    this.#zones.set(name, zone)
    return json(201, { ...zoneInfo(zone), rrsets: zone.rrsets })
  }

  #zone(request: SimulatorRequest, id: string, ofKeys: boolean): SimulatorAnswer {
    // PowerDNS takes the id with and without the final dot.
    const zone = this.#zones.get(id.endsWith('.') ? id : `${id}.`)
    if (zone === undefined) return notFound
    if (ofKeys) return request.method === 'GET' ? json(200, zone.keys) : methodNotAllowed
    if (request.method === 'PUT') {
      zone.sign((JSON.parse(request.body) as Record<string, unknown>)['dnssec'] === true)
      return noContent
    }
    if (request.method === 'GET') {
      return json(200, { ...zoneInfo(zone), rrsets: this.#filter(zone, request.query) })
    }
    if (request.method === 'PATCH') {
      zone.patch((JSON.parse(request.body) as Record<string, unknown>)['rrsets'])
      return noContent
    }
    if (request.method !== 'DELETE') return methodNotAllowed
    this.#zones.delete(zone.name)
    return noContent
  }

  #filter(zone: PowerDnsZone, query: URLSearchParams): PowerDnsRRset[] {
    const name = query.get('rrset_name')
    const type = query.get('rrset_type')
    if (name === null || this.#isBefore(4, 6)) return zone.rrsets
    const withDisabled = !this.#isBefore(5, 0) && query.get('include_disabled') === 'true'
    const isShown = (record: PowerDnsRecord) => withDisabled || !record.disabled
    return zone.rrsets.flatMap((rrset) => {
      const wanted = rrset.name === name && (type === null || rrset.type === type)
      const records = wanted ? rrset.records.filter(isShown) : []
      // Real ones forget to filter the comments.
      if (records.length === 0 && rrset.comments.length === 0) return []
      return [{ ...rrset, records, ttl: records.length === 0 ? 0 : rrset.ttl }]
    })
  }

  #search(query: URLSearchParams): SimulatorAnswer {
    const pattern = query.get('q') ?? ''
    if (pattern === '') throw new Refusal("Query q can't be blank")
    const glob = pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')
    // The database has names and targets without their final dot.
    const hits = (text: string) => new RegExp(`^${glob}$`, 'is').test(text.replace(/\.$/, ''))
    const rows = [...this.#zones.values()].flatMap((zone) =>
      zone.rrsets.flatMap(({ name, type, ttl, records }) =>
        records
          .filter((record) => this.#canSearch && (hits(name) || hits(record.content)))
          .map((record) => ({ ...record, name, type, ttl, object_type: 'record', ...zoneOf(zone) })),
      ),
    )
    return json(200, rows.slice(0, Number(query.get('max') ?? 100)))
  }

  #isBefore(major: number, minor: number): boolean {
    const [ownMajor = 0, ownMinor = 0] = this.#version.split('.').map(Number)
    return ownMajor < major || (ownMajor === major && ownMinor < minor)
  }
}

const methodNotAllowed = json(405, { error: 'Method Not Allowed' })

const zoneOf = (zone: PowerDnsZone) => ({ zone: zone.name, zone_id: zone.name })

const zoneInfo = (zone: PowerDnsZone) => ({
  account: '',
  catalog: '',
  edited_serial: zone.serial,
  id: zone.name,
  kind: 'Native',
  last_check: 0,
  masters: [],
  name: zone.name,
  notified_serial: 0,
  serial: zone.serial,
  url: `${PREFIX}/zones/${zone.name}`,
})
