import { createHash, randomUUID } from 'node:crypto'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json, pageOf, type Body } from './answers.ts'
import { isAddress, isData, isInteger, isTarget, isZoneName } from './checks.ts'
import { defineDialect, type NewRecord } from './dialect.ts'
import { atAsEmpty, emptyAsAt, joinData, splitData } from './rdata.ts'
import { RecordZone } from './record-zone.ts'
import type { SimulatorAnswer } from './server.ts'

/** What is a record's own beside its id, as it is without being said. */
const PLAIN = {
  Type: 0,
  /** Seconds. */
  Ttl: 300,
  /** Names with or without the final dot, as they were sent. */
  Value: '',
  /** Relative to the zone, '' for the apex. */
  Name: '',
  Weight: 0,
  Priority: 0,
  Port: 0,
  Flags: 0,
  Tag: '',
  Accelerated: false,
  AcceleratedPullZoneId: 0,
  LinkName: '',
  MonitorStatus: 0,
  MonitorType: 0,
  GeolocationLatitude: 0,
  GeolocationLongitude: 0,
  EnviromentalVariables: [] as { Name: string; Value: string }[],
  LatencyZone: null as string | null,
  SmartRoutingType: 0,
  Disabled: false,
  Comment: '',
  AutoSslIssuance: true,
}

type BunnyRecord = typeof PLAIN & { Id: number }

/** By their numbers. */
const TYPES = 'A AAAA CNAME TXT MX Redirect Flatten PullZone SRV CAA PTR Script NS SVCB HTTPS TLSA'.split(' ')
const NUMBERS = 'Type Ttl Weight Priority Port Flags MonitorType SmartRoutingType'
const RANGES: Record<string, number> = { Weight: 65_535, Priority: 65_535, Port: 65_535, Flags: 255 }
const MIN_TTL = 15
const MAX_TTL = 86_400

const failure = (status: number, ErrorKey: string, Field: string, Message: string) =>
  new Refused(json(status, { ErrorKey, Field, Message }))
const invalid = (Field: string, Message: string) =>
  failure(400, `dnszone.record.invalid_${Field.toLowerCase()}`, Field, Message)

let ids = 3_040_511

const RULES = {
  id: 'Id',
  name: 'Name',
  type: 'Type',
  missing: () =>
    failure(404, 'dnszone.record.not_found', 'RecordId', 'The requested DNS zone record was not found'),
  clash: () => invalid('Name', 'A CNAME record cannot stand beside other records of the same name'),
} as const

/** The SOA and the zone's own NS are not among its records. */
class BunnyZone extends RecordZone<BunnyRecord> {
  readonly id = ++ids
  readonly created = new Date().toISOString()
  signed = false

  constructor(name: string) {
    super(name, RULES)
  }

  /** A record that is there already is made once more. */
  add(body: unknown): BunnyRecord {
    return this.put(judge({ ...PLAIN, Id: ++ids }, body))
  }

  /** What the body does not say stays. */
  update(id: string, body: unknown): void {
    this.put(judge(this.get(id), body))
  }

  protected override clashes(record: BunnyRecord): boolean {
    // At the apex it is answered by addresses, and others can stand beside it.
    const excludes = (type: string) => (record.Name === '' ? ['A', 'AAAA', 'CNAME'].includes(type) : true)
    const isAlias = ({ Type }: BunnyRecord) => TYPES[Type] === 'CNAME'
    const clash = (one: BunnyRecord, other: BunnyRecord) => isAlias(one) && excludes(TYPES[other.Type] ?? '')
    return this.siblings(record).some((other) => clash(record, other) || clash(other, record))
  }
}

/** Keys are taken in any case. */
function judge(old: BunnyRecord, body: unknown): BunnyRecord {
  if (!isBody(body)) throw invalid('Value', 'The request body is not valid')
  const keys = new Map(Object.keys(PLAIN).map((key) => [key.toLowerCase(), key]))
  const given = Object.entries(body).flatMap(([key, value]) => {
    const known = keys.get(key.toLowerCase())
    return known === undefined || value === undefined ? [] : [[known, value] as const]
  })
  // Pull zones and scripts are named by a number, and shown by another field.
  const link = Number(body['PullZoneId'] ?? body['ScriptId'] ?? 0)
  const record = { ...old, ...Object.fromEntries(given), ...(link > 0 && { LinkName: String(link) }) }
  const said = { ...record, Comment: record.Comment ?? '' }
  check(said, said)
  return { ...said, Name: said.Name.toLowerCase() }
}

function check({ Type, Ttl, Name, Value, Comment }: BunnyRecord, all: Body): void {
  for (const field of NUMBERS.split(' ')) {
    const value = all[field]
    if (typeof value !== 'number' || value < 0 || value > (RANGES[field] ?? Infinity))
      throw invalid(field, `The field ${field} is not valid`)
  }
  const type = TYPES[Type]
  if (type === undefined) throw invalid('Type', 'The record type is not valid')
  if (!isInteger(Ttl, MIN_TTL, MAX_TTL))
    throw invalid('Ttl', `The TTL must be between ${MIN_TTL} and ${MAX_TTL}`)
  if (typeof Name !== 'string' || (Name !== '' && !isTarget(Name)))
    throw invalid('Name', 'The record name is not valid')
  if (type === 'NS' && Name === '')
    throw invalid('Name', 'The name servers of the zone are set in its settings')
  if (typeof Value !== 'string' || !isValue(type, Value, all))
    throw invalid('Value', 'The record value is invalid.')
  if (typeof Comment !== 'string') throw invalid('Comment', 'The comment is not valid')
}

const isName = (name: string) => isTarget(name.replace(/\.$/, ''))

function isValue(type: string, value: string, all: Body): boolean {
  if (type === 'A' || type === 'AAAA') return isAddress(type, value)
  if (type === 'TXT') return value !== ''
  if (['CNAME', 'NS', 'PTR', 'Flatten'].includes(type)) return isName(value)
  if (type === 'MX' || type === 'SRV') return value === '.' || isName(value)
  if (type === 'CAA') return ['issue', 'issuewild', 'iodef'].includes(String(all['Tag'])) && value !== ''
  return readType(type) === null || isData(type, presentationOf(type, value, all))
}

/** The data as a master file has it. */
function presentationOf(type: string, value: string, all: Body): string {
  const priority = Number(all['Priority'])
  const numbers = { priority, weight: Number(all['Weight']), port: Number(all['Port']) }
  const data = value === '.' ? value : value.replace(/\.$/, '')
  if (type === 'CAA') return `${Number(all['Flags'])} ${String(all['Tag'])} "${value}"`
  if (type !== 'SVCB' && type !== 'HTTPS')
    return joinData(type, { data: type === 'TXT' ? value : data, ...numbers }, '')
  const [target = '', ...parameters] = value.split(' ')
  return [priority, target.replace(/\.?$/, '.'), ...parameters].join(' ')
}

const PAGES = { size: 1000, least: 5, most: 1000, by: 'perPage' }
const SETTINGS = {
  NameserversDetected: true,
  CustomNameserversEnabled: false,
  Nameserver1: 'kiki.bunny.net',
  Nameserver2: 'coco.bunny.net',
  SoaEmail: 'hostmaster@bunny.net',
  LoggingEnabled: false,
  CertificateKeyType: 0,
}

/** In another form than all other errors. */
const unauthorized = new Refused(json(401, { Message: 'Authorization has been denied for this request.' }))
const tooMany = failure(429, 'too_many_requests', '', 'Too many requests')

const shown = (zone: BunnyZone) => ({
  Id: zone.id,
  Domain: zone.name,
  Records: zone.records.map((record) => ({ ...record, IPGeoLocationInfo: null, GeolocationInfo: null })),
  DateModified: zone.created,
  DateCreated: zone.created,
  DnsSecEnabled: zone.signed,
  ...SETTINGS,
})

/** Switches signing, and says what the parent zone needs. */
function sign(zone: BunnyZone, isSigned: boolean): SimulatorAnswer {
  zone.signed = isSigned
  const digest = createHash('sha256').update(zone.name).digest('hex').toUpperCase()
  const key = { KeyTag: 2371, Algorithm: 13, DigestType: 'SHA256', Digest: digest, Flags: 257 }
  const DsRecord = `${zone.name}. 3600 IN DS 2371 13 2 ${digest}`
  const PublicKey = 'mdsswUyr3DPW132mOi8V9xESWE8j'
  return json(200, { Enabled: isSigned, DsRecord, PublicKey, ...key, DsConfigured: false })
}

function bodyOf({ name, type, value, ttl, member }: NewRecord): Body {
  const place = { Type: TYPES.indexOf(type), Name: atAsEmpty(name), Ttl: ttl }
  const given = { ...place, Disabled: member.disabled ?? false, Comment: member.comment ?? '' }
  if (type === 'CAA') {
    const { flags, tag, value: text } = typeOf(type).toData(value)
    return { ...given, Flags: flags, Tag: tag, Value: text }
  }
  const { data, priority, weight, port } = splitData(type, value)
  const [first = '', rest = ''] = data.split(/ (.*)/)
  if (type === 'SVCB' || type === 'HTTPS') return { ...given, Priority: Number(first), Value: rest }
  return { ...given, Value: data, Priority: priority ?? 0, Weight: weight ?? 0, Port: port ?? 0 }
}

/** The DNS part of bunny.net's API. */
export default defineDialect({
  keys: () => ({ apiKey: `${randomUUID()}${randomUUID()}` }),
  newZone: (name) => new BunnyZone(name),
  headers: ({ apiKey }) => ({ accesskey: apiKey }),
  authenticate: ({ headers }, { apiKey }) => {
    if (headers['accesskey'] !== apiKey) throw unauthorized
  },
  zoneKey: ({ id }) => String(id),
  limits: [{ option: 'rate', seconds: 60, refuse: () => tooMany }],
  routes: {
    // With all their records.
    'GET /dnszone': ({ query, zones }) => {
      const all = zones.filter(({ name }) => name.includes(query.get('search') ?? ''))
      const found = pageOf(all, query, PAGES)
      if (found === null || found.size < PAGES.least)
        throw failure(400, 'validation_error', 'perPage', `Must be between ${PAGES.least} and ${PAGES.most}`)
      return json(200, {
        Items: found.items.map(shown),
        CurrentPage: found.page,
        TotalItems: all.length,
        HasMoreItems: found.page < found.pages,
      })
    },
    'POST /dnszone': ({ body, sim }) => {
      const given: Body = isBody(body) ? body : {}
      const name = given['Domain'] ?? given['domain']
      if (!isZoneName(name)) throw failure(400, 'dnszone.invalid_domain', 'Domain', 'The domain is not valid')
      if (sim.zones.has(name))
        throw failure(400, 'dnszone.domain_taken', 'Domain', 'The domain is already added to an account')
      return json(201, shown(sim.createZone(name)))
    },
    'GET /dnszone/:zone': ({ zone }) => json(200, shown(zone)),
    'DELETE /dnszone/:zone': ({ zone, sim }) => {
      sim.deleteZone(zone.name)
      return { status: 204 }
    },
    'POST /dnszone/:zone/dnssec': ({ zone }) => sign(zone, true),
    'DELETE /dnszone/:zone/dnssec': ({ zone }) => sign(zone, false),
    // Made by PUT, and changed by POST.
    'PUT /dnszone/:zone/records': ({ zone, body }) => json(201, zone.add(body)),
    'POST /dnszone/:zone/records/:id': ({ zone, id, body }) => {
      zone.update(id, body)
      return { status: 204 }
    },
    'DELETE /dnszone/:zone/records/:id': ({ zone, id }) => {
      zone.delete(id)
      return { status: 204 }
    },
  },
  errors: {
    noRoute: { status: 404 },
    noZone: failure(404, 'dnszone.not_found', 'ZoneId', 'The requested DNS zone was not found'),
    badJson: invalid('Value', 'The request body is not valid'),
  },
  suite: {
    credentials: ({ apiKey }) => ({ apiKey }),
    secret: 'apiKey',
    wrong: '7f3a'.repeat(18),
    missingZone: { id: '999999999', name: 'missing.test' },
    seed: (zone, records) => {
      for (const record of records) zone.add(bodyOf(record))
    },
    held: (zone) =>
      zone.records.map((record) => {
        const type = TYPES[record.Type] ?? ''
        return {
          name: emptyAsAt(record.Name),
          type,
          ttl: record.Ttl,
          rdata: presentationOf(type, record.Value, record),
          disabled: record.Disabled,
          comment: record.Comment,
        }
      }),
    foreign: (zone) => {
      const at = { Name: 'foreign', Ttl: 3600 }
      zone.add({ ...at, Value: '192.0.2.1', Comment: 'do not touch' })
      for (const Value of ['192.0.2.200', '192.0.2.201']) zone.add({ ...at, Value, Disabled: true })
      zone.add({ Type: TYPES.indexOf('Redirect'), Name: 'jump', Value: 'https://www.example.net/' })
      zone.add({ Type: TYPES.indexOf('PullZone'), Name: 'foreign', PullZoneId: 4711 })
      return () => zone.lasting
    },
    extra: (zone) => {
      const place = { SmartRoutingType: 2, GeolocationLatitude: 48.1, GeolocationLongitude: 11.5 }
      const at = { Name: 'extra', Ttl: 3600 }
      zone.add({ ...at, Value: '192.0.2.1', ...place })
      zone.add({ ...at, Value: '192.0.2.2', Weight: 30, MonitorType: 1, AutoSslIssuance: false })
      return () => zone.lasting.filter((record) => record.includes('"extra"'))
    },
    faults: {
      unauthorized,
      forbidden: failure(403, 'forbidden', '', 'The action is forbidden'),
      rateLimited: tooMany,
      failure: failure(500, 'internal_error', '', 'An internal error occurred'),
      refused: (reason) => invalid('Value', reason),
    },
  },
})
