import { isIPv4, isIPv6 } from 'node:net'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json, type Body } from './answers.ts'
import { joinData } from './rdata.ts'

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

export type BunnyRecord = typeof PLAIN & { Id: number }

/** By their numbers. */
export const TYPES =
  'A AAAA CNAME TXT MX Redirect Flatten PullZone SRV CAA PTR Script NS SVCB HTTPS TLSA'.split(' ')
const NUMBERS = 'Type Ttl Weight Priority Port Flags MonitorType SmartRoutingType'
const RANGES: Record<string, number> = { Weight: 65_535, Priority: 65_535, Port: 65_535, Flags: 255 }
const LABELS = /^(\*|[a-z0-9_-]{1,63})(\.[a-z0-9_-]{1,63})*$/
const MIN_TTL = 15
const MAX_TTL = 86_400

export const failure = (status: number, ErrorKey: string, Field: string, Message: string) =>
  new Refused(json(status, { ErrorKey, Field, Message }))
export const invalid = (Field: string, Message: string) =>
  failure(400, `dnszone.record.invalid_${Field.toLowerCase()}`, Field, Message)

let ids = 3_040_511

/** One zone, with the checks that bunny.net makes when it is changed. All methods throw Refused. */
export class BunnyZone {
  readonly id = ++ids
  readonly name: string
  readonly created = new Date().toISOString()
  signed = false
  readonly #records = new Map<number, BunnyRecord>()

  constructor(name: string) {
    this.name = name
  }

  /** Copies. The SOA and the zone's own NS are not among them. */
  get records(): BunnyRecord[] {
    return structuredClone([...this.#records.values()])
  }

  /** A record that is there already is made once more. */
  put(body: unknown): BunnyRecord {
    return this.#put(judge({ ...PLAIN, Id: ++ids }, body))
  }

  /** What the body does not say stays. */
  post(id: number, body: unknown): void {
    this.#put(judge(this.#get(id), body))
  }

  delete(id: number): void {
    this.#get(id)
    this.#records.delete(id)
  }

  #get(id: number): BunnyRecord {
    const found = this.#records.get(id)
    if (found === undefined)
      throw failure(
        404,
        'dnszone.record.not_found',
        'RecordId',
        'The requested DNS zone record was not found',
      )
    return structuredClone(found)
  }

  #put(record: BunnyRecord): BunnyRecord {
    const others = [...this.#records.values()].filter(
      ({ Id, Name }) => Id !== record.Id && Name === record.Name,
    )
    // At the apex it is answered by addresses, and others can stand beside it.
    const excludes = (type: string) => (record.Name === '' ? ['A', 'AAAA', 'CNAME'].includes(type) : true)
    const isAlias = ({ Type }: BunnyRecord) => TYPES[Type] === 'CNAME'
    const clash = (one: BunnyRecord, other: BunnyRecord) => isAlias(one) && excludes(TYPES[other.Type] ?? '')
    if (others.some((other) => clash(record, other) || clash(other, record)))
      throw invalid('Name', 'A CNAME record cannot stand beside other records of the same name')
    this.#records.set(record.Id, record)
    return structuredClone(record)
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
  if (!Number.isInteger(Ttl) || Ttl < MIN_TTL || Ttl > MAX_TTL)
    throw invalid('Ttl', `The TTL must be between ${MIN_TTL} and ${MAX_TTL}`)
  if (typeof Name !== 'string' || (Name !== '' && !LABELS.test(Name.toLowerCase())))
    throw invalid('Name', 'The record name is not valid')
  if (type === 'NS' && Name === '')
    throw invalid('Name', 'The name servers of the zone are set in its settings')
  if (typeof Value !== 'string' || !isValue(type, Value, all))
    throw invalid('Value', 'The record value is invalid.')
  if (typeof Comment !== 'string') throw invalid('Comment', 'The comment is not valid')
}

const isTarget = (name: string) => LABELS.test(name.toLowerCase().replace(/\.$/, ''))

function isValue(type: string, value: string, all: Body): boolean {
  if (type === 'A') return isIPv4(value)
  if (type === 'AAAA') return isIPv6(value)
  if (type === 'TXT') return value !== ''
  if (['CNAME', 'NS', 'PTR', 'Flatten'].includes(type)) return isTarget(value)
  if (type === 'MX' || type === 'SRV') return value === '.' || isTarget(value)
  if (type === 'CAA') return ['issue', 'issuewild', 'iodef'].includes(String(all['Tag'])) && value !== ''
  const known = readType(type)
  return known === null ? true : typeOf(known).read(presentationOf(type, value, all)) !== null
}

/** The data as a master file has it. */
export function presentationOf(type: string, value: string, all: Body): string {
  const priority = Number(all['Priority'])
  const numbers = { priority, weight: Number(all['Weight']), port: Number(all['Port']) }
  const data = value === '.' ? value : value.replace(/\.$/, '')
  if (type === 'CAA') return `${Number(all['Flags'])} ${String(all['Tag'])} "${value}"`
  if (type !== 'SVCB' && type !== 'HTTPS')
    return joinData(type, { data: type === 'TXT' ? value : data, ...numbers }, '')
  const [target = '', ...parameters] = value.split(' ')
  return [priority, target.replace(/\.?$/, '.'), ...parameters].join(' ')
}
