import { createHash } from 'node:crypto'
import { relativeName } from '../../../dns/names/names.ts'
import { Refused, bearerOf, json, textOf, type Body } from './answers.ts'
import { MAX_TTL, hexKey, isInteger } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import { HeldZone } from './held-zone.ts'
import { withZone } from './rdata.ts'
import type { SimulatorAnswer, SimulatorRequest } from './server.ts'
import {
  SINGLE,
  TYPES,
  failed,
  invalid,
  parametersOf,
  rdataOf,
  readData,
  renewData,
} from './technitium-data.ts'

interface TechnitiumRecord {
  disabled: boolean
  /** With the zone's, without the final dot. */
  name: string
  type: string
  /** Seconds. */
  ttl: number
  rData: Body
  dnssecStatus: 'Unknown'
  comments?: string
  lastUsedOn: string
}

type Parameters = URLSearchParams

const DEFAULT_TTL = 3600
const SOA_FIELDS = ['serial', 'refresh', 'retry', 'expire', 'minimum']
/** Of the server itself, by which its zones are served. */
const NAME_SERVER = 'server1.example.net'
const CHANGES = /\/(add|update|delete|create|enable|disable|sign|unsign)$/

const made = (name: string, type: string, ttl: number, rData: Body): TechnitiumRecord => ({
  disabled: false,
  name,
  type,
  ttl,
  rData,
  dnssecStatus: 'Unknown',
  lastUsedOn: '0001-01-01T00:00:00',
})

/** Records of which the data means the same are one. */
function keyOf({ name, type, rData }: Pick<TechnitiumRecord, 'name' | 'type' | 'rData'>): string {
  return `${name} ${type} ${type === 'TXT' ? JSON.stringify(rData) : rdataOf(type, rData).toLowerCase()}`
}

const RULES = {
  key: keyOf,
  name: 'name',
  type: 'type',
  clash: ({ type }: TechnitiumRecord) =>
    type === 'CNAME'
      ? failed('Cannot add record: a CNAME record cannot exist with other record types for the same name.')
      : failed('Cannot add record: a CNAME record already exists for the same name.'),
} as const

/** One zone, with the checks that Technitium makes when it is changed. */
class TechnitiumZone extends HeldZone<TechnitiumRecord> {
  readonly type: string
  readonly internal: boolean
  disabled = false
  signed = false

  constructor(name: string, { type = 'Primary', internal = false }: Body) {
    const times = { serial: 1, refresh: 900, retry: 300, expire: 604_800, minimum: 900 }
    const soa = { primaryNameServer: NAME_SERVER, responsiblePerson: `hostadmin@${name}`, ...times }
    super(name, RULES, [made(name, 'SOA', 900, soa), made(name, 'NS', 3600, { nameServer: NAME_SERVER })])
    this.type = String(type)
    this.internal = internal === true
  }

  /** Copies. What signing adds stands between the others. */
  get records(): TechnitiumRecord[] {
    return structuredClone([...this.held, ...(this.signed ? this.#signatures() : [])])
  }

  get #soa(): TechnitiumRecord {
    return this.#ofSet(this.name, 'SOA')[0] ?? made(this.name, 'SOA', 900, {})
  }

  get serial(): number {
    return Number(this.#soa.rData['serial'])
  }

  /** Puts a record there, of whatever type, without any check. */
  override hold(record: Pick<TechnitiumRecord, 'name' | 'type' | 'ttl' | 'rData'>): TechnitiumRecord {
    return super.hold({ ...made(record.name, record.type, record.ttl, record.rData), ...record })
  }

  /** With `overwrite` it is all that the RRset has. What is there already is refused. */
  add(parameters: Parameters): TechnitiumRecord {
    const [name, type] = this.#place(parameters)
    const record = made(name, type, ttlOf(parameters), readData(type, parameters))
    const overwrite = parameters.get('overwrite') === 'true'
    if (!overwrite && this.find(keyOf(record)) !== undefined)
      throw failed('Cannot add record: record already exists.')
    return this.atOnce(() => {
      if (overwrite || SINGLE.includes(type)) this.#dropSet(name, type)
      this.put(record)
      return this.#written({ ...record, ...commentsOf(parameters) })
    })
  }

  /** What of it the parameters don't say is reset, but for the data. */
  update(parameters: Parameters): TechnitiumRecord {
    if (parameters.get('type') === 'SOA') return this.#updateSoa(parameters)
    const [name, type] = this.#place(parameters)
    const old = SINGLE.includes(type)
      ? this.#ofSet(name, type)[0]
      : this.find(keyOf({ name, type, rData: readData(type, parameters) }))
    if (old === undefined) throw failed('Cannot update record: the old record does not exists.')
    const record = made(name, type, ttlOf(parameters), renewData(type, parameters))
    // Where the new one is there already, the two become one.
    this.drop(keyOf(old))
    const disabled = parameters.get('disable') === 'true'
    return this.#written({ ...record, disabled, ...commentsOf(parameters) })
  }

  /** Taking away what is not there succeeds. */
  delete(parameters: Parameters): void {
    const [name, type] = this.#place(parameters)
    if (SINGLE.includes(type)) this.#dropSet(name, type)
    else this.drop(keyOf({ name, type, rData: readData(type, parameters) }))
    this.#raise()
  }

  #updateSoa(parameters: Parameters): TechnitiumRecord {
    const textIn = (name: string) => {
      const value = textOf(parameters.get(name))
      if (value === '') throw failed(`Parameter '${name}' missing.`)
      return value
    }
    const numbers = SOA_FIELDS.map((name) => {
      if (!/^\d{1,10}$/.test(textIn(name))) throw invalid(name)
      return [name, Number(textIn(name))]
    })
    const names = ['primaryNameServer', 'responsiblePerson'].map((name) => [name, textIn(name)])
    const serial = Math.max(this.serial, Number(textIn('serial')))
    const rData = { ...Object.fromEntries([...names, ...numbers]), serial }
    return this.#written(made(this.name, 'SOA', ttlOf(parameters), rData))
  }

  #place(parameters: Parameters): [name: string, type: string] {
    const name = (parameters.get('domain') ?? '').toLowerCase()
    const type = parameters.get('type') ?? ''
    if (name !== this.name && !name.endsWith(`.${this.name}`))
      throw failed(`The domain name '${name}' does not belong to the zone: ${this.name}`)
    const label = /^(\*|[a-z0-9_-]{1,63})$/
    if (!name.split('.').every((part) => label.test(part))) throw failed(`Invalid domain name: ${name}`)
    if (!TYPES.includes(type)) throw invalid('type')
    if (type === 'DS' && name === this.name) throw failed('Cannot set DS records at the zone apex.')
    return [name, type]
  }

  #ofSet(name: string, type: string): TechnitiumRecord[] {
    return this.held.filter((record) => record.name === name && record.type === type)
  }

  #dropSet(name: string, type: string): void {
    for (const record of this.#ofSet(name, type)) this.drop(keyOf(record))
  }

  /** Holds the record. An RRset has one TTL: that of the last who said one. */
  #written(record: TechnitiumRecord): TechnitiumRecord {
    const { name, type, ttl } = record
    for (const other of this.#ofSet(name, type)) this.hold({ ...other, ttl })
    // It is the last one, also where it was there.
    this.drop(keyOf(record))
    const held = this.hold(record)
    this.#raise()
    return held
  }

  #raise(): void {
    const soa = this.#soa
    this.hold({ ...soa, rData: { ...soa.rData, serial: this.serial + 1 } })
  }

  #signatures(): TechnitiumRecord[] {
    const key = { flags: 'SecureEntryPoint, ZoneKey', protocol: 3, algorithm: 'ECDSAP256SHA256' }
    const covered = { typeCovered: 'SOA', algorithm: 'ECDSAP256SHA256', labels: 2, signersName: this.name }
    return [
      made(this.name, 'DNSKEY', 86_400, { ...key, publicKey: 'KOJWFitKm58EgjO43GDnsA==' }),
      made(this.name, 'RRSIG', 900, { ...covered, signature: 'vJ/fXkGKsapdvWjDhcfHsA==' }),
      made(this.name, 'NSEC', 900, { nextDomainName: this.name, types: ['SOA', 'NS', 'RRSIG', 'NSEC'] }),
    ]
  }
}

function commentsOf(parameters: Parameters): { comments?: string } {
  const comments = parameters.get('comments') ?? ''
  return comments === '' ? {} : { comments }
}

function ttlOf(parameters: Parameters): number {
  const ttl = Number(parameters.get('ttl') ?? DEFAULT_TTL)
  if (!isInteger(ttl, 0, MAX_TTL)) throw invalid('ttl')
  return ttl
}

interface Keys extends Record<string, string> {
  token: string
  /** Of a user who may only view. */
  readToken: string
}
type TechnitiumCall = Call<TechnitiumZone, Keys>

const invalidToken = new Refused(
  json(200, { status: 'invalid-token', errorMessage: 'Invalid token or session expired.' }),
)
const accessDenied = failed('Access was denied.')

const ok = (response?: Body) => json(200, { ...(response && { response }), status: 'ok' })

/** Of the address, and of a form. */
function parametersIn({ query, headers, body }: SimulatorRequest): Parameters {
  const isForm = String(headers['content-type']).startsWith('application/x-www-form-urlencoded')
  const all = new URLSearchParams(query)
  if (isForm) for (const [name, value] of new URLSearchParams(body)) all.set(name, value)
  return all
}

const tokenOf = (request: SimulatorRequest) => bearerOf(request) || (parametersIn(request).get('token') ?? '')

/** The zone that is meant, if need be by what is in it; only one's own can be managed. */
function zoneOf({ sim, request }: TechnitiumCall): TechnitiumZone {
  const parameters = parametersIn(request)
  const name = (parameters.get('zone') ?? parameters.get('domain') ?? '').toLowerCase()
  const names = name.split('.').map((_, i, parts) => parts.slice(i).join('.'))
  const found = (parameters.has('zone') ? [name] : names).find((each) => sim.zones.has(each))
  const zone = sim.zones.get(found ?? '')
  if (zone === undefined) throw failed(`No such zone was found: ${name}`)
  if (zone.internal) throw failed('Access was denied to manage internal DNS Server zone.')
  return zone
}

/** The same, to change what is in it. */
function changedZone(call: TechnitiumCall): TechnitiumZone {
  const zone = zoneOf(call)
  if (zone.type !== 'Primary') throw failed('The zone type does not support this operation.')
  return zone
}

const shown = (zone: TechnitiumZone) => ({
  name: zone.name,
  type: zone.type,
  ...(zone.internal && { internal: true }),
  dnssecStatus: zone.signed ? 'SignedWithNSEC' : 'Unsigned',
  soaSerial: zone.serial,
  disabled: zone.disabled,
})

function readSession({ request, sim }: TechnitiumCall): SimulatorAnswer {
  const token = tokenOf(request)
  const canModify = token === sim.token
  const permissions = { Zones: { canView: true, canModify, canDelete: canModify } }
  const info = { version: '15.5.1', defaultRecordTtl: 3600, permissions }
  return json(200, { displayName: 'User', username: 'user', token, info, status: 'ok' })
}

/** All where no page is asked for. */
function listZones({ zones }: TechnitiumCall, parameters: Parameters): SimulatorAnswer {
  const all = zones.map(shown).sort((a, b) => (a.name < b.name ? -1 : 1))
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

function createZone({ sim }: TechnitiumCall, parameters: Parameters): SimulatorAnswer {
  const name = (parameters.get('zone') ?? '').toLowerCase()
  if (name === '') throw failed("Parameter 'zone' missing.")
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(name)) throw failed(`Invalid domain name: ${name}`)
  if (parameters.get('type') !== 'Primary') throw failed("Parameter 'type' missing.")
  if (sim.zones.has(name)) throw failed(`Zone already exists: ${name}`)
  return ok({ domain: sim.createZone(name).name })
}

const setDisabled = (isDisabled: boolean) => (call: TechnitiumCall) => {
  zoneOf(call).disabled = isDisabled
  return ok({})
}

const setSigned = (isSigned: boolean) => (call: TechnitiumCall) => {
  const zone = changedZone(call)
  if (zone.signed === isSigned) throw failed(`Cannot ${isSigned ? 'sign' : 'unsign'} zone: nothing to do.`)
  zone.signed = isSigned
  return ok({})
}

function viewDs(call: TechnitiumCall): SimulatorAnswer {
  const zone = zoneOf(call)
  if (!zone.signed) throw failed('The zone must be signed with DNSSEC.')
  const digest = createHash('sha256').update(zone.name).digest('hex').toUpperCase()
  const key = { keyTag: 47_972, dnsKeyState: 'Ready', algorithm: 'ECDSAP256SHA256', publicKey: 'TK5a8p==' }
  return ok({ ...shown(zone), dsRecords: [{ ...key, digests: [{ digestType: 'SHA256', digest }] }] })
}

/** All of the zone only with `listZone`; else those of one name. */
function getRecords(call: TechnitiumCall, parameters: Parameters): SimulatorAnswer {
  const domain = parameters.get('domain')?.toLowerCase()
  if (domain === undefined) throw failed("Parameter 'domain' missing.")
  const zone = zoneOf(call)
  const isAll = parameters.get('listZone') === 'true'
  return ok({ zone: shown(zone), records: zone.records.filter(({ name }) => isAll || name === domain) })
}

const CALLS: Record<string, (call: TechnitiumCall, parameters: Parameters) => SimulatorAnswer> = {
  'user/session/get': readSession,
  'zones/list': listZones,
  'zones/create': createZone,
  'zones/delete': (call) => {
    call.sim.deleteZone(zoneOf(call).name)
    return ok({})
  },
  'zones/enable': setDisabled(false),
  'zones/disable': setDisabled(true),
  'zones/dnssec/sign': setSigned(true),
  'zones/dnssec/unsign': setSigned(false),
  'zones/dnssec/viewDS': viewDs,
  'zones/records/get': getRecords,
  'zones/records/add': (call, parameters) => {
    const zone = changedZone(call)
    return ok({ addedRecord: zone.add(parameters), zone: shown(zone) })
  },
  'zones/records/update': (call, parameters) => {
    const zone = changedZone(call)
    return ok({ updatedRecord: zone.update(parameters), zone: shown(zone) })
  },
  'zones/records/delete': (call, parameters) => {
    changedZone(call).delete(parameters)
    return ok({})
  },
}

/**
 * The HTTP API of a Technitium DNS Server 15. What its documentation is silent about is refused: types without parameters
 * of their own, adding what is there.
 */
export default defineDialect({
  path: '/api',
  keys: (): Keys => ({ token: hexKey(32), readToken: hexKey(32) }),
  newZone: (name, given) => new TechnitiumZone(name, given),
  headers: ({ token }) => ({
    authorization: `Bearer ${token}`,
    'content-type': 'application/x-www-form-urlencoded',
  }),
  authenticate: (request, { token, readToken }) => {
    const given = tokenOf(request)
    if (given !== token && given !== readToken) throw invalidToken
    if (given === readToken && CHANGES.test(request.path)) throw accessDenied
  },
  changes: ({ path }) => CHANGES.test(path),
  routes: Object.fromEntries(
    Object.entries(CALLS).flatMap(([path, answer]) =>
      ['GET', 'POST'].map((method) => [
        `${method} /${path}`,
        (call: TechnitiumCall) => answer(call, parametersIn(call.request)),
      ]),
    ),
  ),
  errors: { noRoute: { status: 404 } },
  suite: {
    credentials: ({ token }) => ({ apiToken: token }),
    secret: 'apiToken',
    wrong: '7f3a'.repeat(16),
    seed: (zone, records) => {
      for (const { name, type, value, ttl, member } of records) {
        const domain = withZone(name, zone.name)
        const rest = { domain, type, ttl: String(ttl), comments: member.comment ?? '' }
        const parameters = new URLSearchParams({ ...parametersOf(type, value), ...rest })
        zone.add(parameters)
        parameters.set('disable', 'true')
        if (member.disabled === true) zone.update(parameters)
      }
    },
    held: (zone) =>
      zone.added.map(({ name, type, rData, comments = '', ...rest }) => ({
        ...rest,
        name: relativeName(name, zone.name) ?? name,
        type,
        rdata: rdataOf(type, rData),
        comment: comments,
      })),
    foreign: (zone) => {
      const domain = `foreign.${zone.name}`
      const address = { domain, type: 'A', ipAddress: '192.0.2.1', comments: 'do not touch' }
      zone.add(new URLSearchParams(address))
      const forwarder = { protocol: 'Udp', forwarder: '192.0.2.53', dnssecValidation: false }
      zone.hold({ name: domain, type: 'FWD', ttl: 0, rData: forwarder })
      const app = { appName: 'Failover', data: '{}' }
      zone.hold({ name: `app.${zone.name}`, type: 'APP', ttl: 60, rData: app })
      return () => zone.added.map((record) => JSON.stringify(record)).sort()
    },
    faults: {
      unauthorized: invalidToken,
      forbidden: accessDenied,
      // Not of its own: of who stands before it.
      rateLimited: { status: 429, headers: { 'content-type': 'text/plain' }, body: 'Too Many Requests' },
      failure: { status: 500, headers: { 'content-type': 'text/plain' }, body: 'Internal Server Error' },
      refused: failed,
    },
  },
})
