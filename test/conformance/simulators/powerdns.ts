import { setTimeout as sleep } from 'node:timers/promises'
import { Refused, type Body } from './answers.ts'
import { defineDialect, type Call } from './dialect.ts'
import {
  PowerDnsZone,
  canonical,
  json,
  says,
  type PowerDnsRecord,
  type PowerDnsRRset,
} from './powerdns-zone.ts'
import type { SimulatorAnswer, SimulatorRequest } from './server.ts'
import { startSimulator } from './simulator.ts'

export interface PowerDnsSimulatorOptions {
  apiKey?: string
  /** Decides what `GET /zones/{id}` understands: rrset_name from 4.6, include_disabled from 5.0. */
  version?: string
  /** Milliseconds that a write takes. */
  writeMs?: number
  /** Fails a write that comes while another is under way, as on SQLite. */
  oneWriter?: boolean
}

interface Keys {
  apiKey: string
  /** Writes under way now, and the most that were at the same time. */
  writes: { now: number; most: number }
}
type PowerDnsCall = Call<PowerDnsZone, Keys>
type Handler = (call: PowerDnsCall) => SimulatorAnswer

const PREFIX = '/api/v1/servers/localhost'
const MAX_BODY = 2 * 1024 * 1024

const noContent: SimulatorAnswer = { status: 204, headers: { connection: 'close' } }
const notFound = says(404, 'Not Found')

function unauthorized(request: SimulatorRequest): Refused {
  const asJson = String(request.headers.accept).includes('json')
  const answer = asJson
    ? json(401, { error: 'Unauthorized' })
    : { status: 401, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'Unauthorized' }
  const challenge = { 'www-authenticate': 'X-API-Key realm="PowerDNS"' }
  return new Refused({ ...answer, headers: { ...answer.headers, ...challenge } })
}

const zoneInfo = ({ apex, serial, soaEditApi }: PowerDnsZone) => ({
  account: '',
  catalog: '',
  edited_serial: serial,
  id: apex,
  kind: 'Native',
  last_check: 0,
  masters: [],
  name: apex,
  notified_serial: 0,
  serial,
  soa_edit_api: soaEditApi,
  url: `${PREFIX}/zones/${apex}`,
})

const bodyOf = ({ body }: PowerDnsCall) => body as Body

function createZone(call: PowerDnsCall): SimulatorAnswer {
  const { name, rrsets, soa_edit_api: soaEditApi = 'DEFAULT' } = bodyOf(call)
  const zoneName = canonical(String(name)).slice(0, -1)
  const { zones } = call.sim
  if (zones.has(zoneName)) throw says(409, 'Conflict')
  const zone = new PowerDnsZone(zoneName)
  zone.soaEditApi = String(soaEditApi)
  if (Array.isArray(rrsets)) zone.patch(rrsets.map((rrset: object) => ({ ...rrset, changetype: 'REPLACE' })))
  zones.set(zoneName, zone)
  return json(201, { ...zoneInfo(zone), rrsets: zone.rrsets })
}

function isBefore(version: string, major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split('.').map(Number)
  return ownMajor < major || (ownMajor === major && ownMinor < minor)
}

function shownRRsets(call: PowerDnsCall): PowerDnsRRset[] {
  const { version = VERSION } = call.sim.options as PowerDnsSimulatorOptions
  const { rrsets } = call.zone
  const name = call.query.get('rrset_name')
  const type = call.query.get('rrset_type')
  if (name === null || isBefore(version, 4, 6)) return rrsets
  const withDisabled = !isBefore(version, 5, 0) && call.query.get('include_disabled') === 'true'
  const isShown = (record: PowerDnsRecord) => withDisabled || !record.disabled
  return rrsets.flatMap((rrset) => {
    const wanted = rrset.name === name && (type === null || rrset.type === type)
    const records = wanted ? rrset.records.filter(isShown) : []
    // Real ones forget to filter the comments.
    if (records.length === 0 && rrset.comments.length === 0) return []
    return [{ ...rrset, records, ttl: records.length === 0 ? 0 : rrset.ttl }]
  })
}

const writing = (handle: Handler) => async (call: PowerDnsCall) => {
  const { writeMs = 0, oneWriter = false } = call.sim.options as PowerDnsSimulatorOptions
  if (writeMs === 0) return handle(call)
  const { writes } = call.sim
  writes.most = Math.max(writes.most, ++writes.now)
  try {
    if (oneWriter && writes.now > 1) throw says(500, 'Internal Server Error')
    await sleep(writeMs)
    return handle(call)
  } finally {
    writes.now--
  }
}

const VERSION = '4.7.3'

/** PowerDNS's HTTP API, with the answers of 4.7.3; `test/peers` holds it against the real one. */
const dialect = defineDialect<PowerDnsZone, Keys>({
  path: PREFIX,
  keys: ({ apiKey = 'fake-api-key' }) => ({ apiKey: String(apiKey), writes: { now: 0, most: 0 } }),
  newZone: (name) => new PowerDnsZone(name),
  zoneKey: ({ name, apex }) => [name, apex],
  authenticate: (request, { apiKey }) => {
    if (request.headers['x-api-key'] !== apiKey) throw unauthorized(request)
    if (request.body.length > MAX_BODY) throw new Refused({ status: 400, body: 'Bad Request' })
  },
  routes: {
    'GET /': ({ sim }) =>
      json(200, {
        daemon_type: 'authoritative',
        id: 'localhost',
        type: 'Server',
        url: PREFIX,
        version: sim.options['version'] ?? VERSION,
        zones_url: `${PREFIX}/zones{/zone}`,
      }),
    'GET /zones': ({ query, zones }) => {
      const wanted = query.get('zone')
      return json(200, zones.filter(({ apex }) => wanted === null || apex === wanted).map(zoneInfo))
    },
    'POST /zones': writing(createZone),
    'GET /zones/:zone': (call) => json(200, { ...zoneInfo(call.zone), rrsets: shownRRsets(call) }),
    'GET /zones/:zone/cryptokeys': ({ zone }) => json(200, zone.keys),
    'PUT /zones/:zone': writing((call) => {
      call.zone.sign(bodyOf(call)['dnssec'] === true)
      return noContent
    }),
    'PATCH /zones/:zone': writing((call) => {
      const { zone } = call
      zone.patch(bodyOf(call)['rrsets'])
      // The old serial is the new one, too, in 4.7.
      const serial = zone.soaEditApi !== '' && { 'x-pdns-new-serial': String(zone.serial) }
      return { ...noContent, headers: { ...noContent.headers, ...serial } }
    }),
    'DELETE /zones/:zone': writing((call) => {
      call.sim.deleteZone(call.zone.name)
      return noContent
    }),
  },
  errors: {
    noRoute: notFound,
    notAllowed: says(405, 'Method Not Allowed'),
    badJson: says(400, 'Bad Request'),
  },
})

/** PowerDNS's HTTP API over a socket. */
export async function startPowerDnsSimulator(options: PowerDnsSimulatorOptions = {}) {
  const sim = await startSimulator(dialect, { ...options })
  const zone = (name: string): PowerDnsZone => {
    const found = sim.zones.get(name)
    if (found === undefined) throw new Error(`The simulator has no zone ${name}`)
    return found
  }
  return Object.assign(sim, {
    /** As a PATCH would; throws what it would refuse. */
    patch: (name: string, rrsets: unknown[]) => zone(name).patch(rrsets),
    /** Everything in the zone, as PowerDNS would list it. */
    dump: (name: string) => zone(name).rrsets,
    /** How many writes were under way at the same time, since this was asked last. */
    writesAtOnce: () => {
      const { most } = sim.writes
      sim.writes.most = 0
      return most
    },
  })
}

export type PowerDnsSimulator = Awaited<ReturnType<typeof startPowerDnsSimulator>>
