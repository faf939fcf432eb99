import { isDeepStrictEqual } from 'node:util'
import type { Body } from './answers.ts'
import {
  SINGLE,
  TYPES,
  Wrong,
  presentationOf,
  readData,
  renewData,
  type Parameters,
} from './technitium-data.ts'

export interface TechnitiumRecord {
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

const DEFAULT_TTL = 3600
const SOA_FIELDS = ['serial', 'refresh', 'retry', 'expire', 'minimum']
const NEVER = '0001-01-01T00:00:00'
/** Of the server itself, by which its zones are served. */
export const NAME_SERVER = 'server1.example.net'

/** One zone, with the checks that Technitium makes when it is changed. All methods throw Wrong. */
export class TechnitiumZone {
  readonly name: string
  readonly type: string
  readonly internal: boolean
  disabled = false
  signed = false
  #records: TechnitiumRecord[] = []

  constructor(name: string, { type = 'Primary', internal = false } = {}) {
    this.name = name
    this.type = type
    this.internal = internal
    const soa = {
      primaryNameServer: NAME_SERVER,
      responsiblePerson: `hostadmin@${name}`,
      serial: 1,
      refresh: 900,
      retry: 300,
      expire: 604_800,
      minimum: 900,
    }
    this.hold({ name, type: 'SOA', ttl: 900, rData: soa })
    this.hold({ name, type: 'NS', ttl: 3600, rData: { nameServer: NAME_SERVER } })
  }

  /** Copies. What signing adds stands between the others. */
  get records(): TechnitiumRecord[] {
    return structuredClone([...this.#records, ...(this.signed ? this.#signatures() : [])])
  }

  get serial(): number {
    return Number(this.#soa['serial'])
  }

  /** Puts a record there, of whatever type, without any check. */
  hold(record: Pick<TechnitiumRecord, 'name' | 'type' | 'ttl' | 'rData'>): void {
    this.#records.push({ disabled: false, ...record, dnssecStatus: 'Unknown', lastUsedOn: NEVER })
  }

  /** With `overwrite` it is all that the set has. What is there already is refused. */
  add(parameters: Parameters): TechnitiumRecord {
    const [name, type] = this.#place(parameters)
    const rData = readData(type, parameters)
    const ttl = ttlOf(parameters)
    const overwrite = parameters.get('overwrite') === 'true'
    if (!overwrite && this.#find(name, type, rData) !== undefined)
      throw new Wrong('Cannot add record: record already exists.')
    this.#mustStandBeside(name, type)
    if (overwrite || SINGLE.includes(type)) this.#take((other) => other.name === name && other.type === type)
    return this.#put({ ...made(name, type, ttl, rData), ...commentsOf(parameters) })
  }

  /** What of it the parameters don't say is reset, but for the data. */
  update(parameters: Parameters): TechnitiumRecord {
    if (parameters.get('type') === 'SOA') return this.#updateSoa(parameters)
    const [name, type] = this.#place(parameters)
    const old = SINGLE.includes(type)
      ? this.#records.find((record) => record.name === name && record.type === type)
      : this.#find(name, type, readData(type, parameters))
    if (old === undefined) throw new Wrong('Cannot update record: the old record does not exists.')
    const rData = renewData(type, parameters)
    const ttl = ttlOf(parameters)
    // Where the new one is there already, the two become one.
    this.#take((record) => record === old || this.#find(name, type, rData) === record)
    const disabled = parameters.get('disable') === 'true'
    return this.#put({ ...made(name, type, ttl, rData), disabled, ...commentsOf(parameters) })
  }

  /** Taking away what is not there succeeds. */
  delete(parameters: Parameters): void {
    const [name, type] = this.#place(parameters)
    const rData = SINGLE.includes(type) ? null : readData(type, parameters)
    const found = rData === null ? undefined : this.#find(name, type, rData)
    this.#take((other) => (rData === null ? other.name === name && other.type === type : other === found))
    this.#raise()
  }

  get #soa(): Body {
    return this.#records.find(({ type }) => type === 'SOA')?.rData ?? {}
  }

  #updateSoa(parameters: Parameters): TechnitiumRecord {
    const text = (name: string) => {
      const value = parameters.get(name)
      if (value === null || value === '') throw new Wrong(`Parameter '${name}' missing.`)
      return value
    }
    const numbers = SOA_FIELDS.map((name) => {
      if (!/^\d{1,10}$/.test(text(name)))
        throw new Wrong(`Invalid value was specified for the parameter: ${name}`)
      return [name, Number(text(name))] as const
    })
    const names = ['primaryNameServer', 'responsiblePerson'].map((name) => [name, text(name)] as const)
    const serial = Math.max(this.serial, Number(text('serial')))
    const rData = { ...Object.fromEntries([...names, ...numbers]), serial }
    this.#take(({ type }) => type === 'SOA')
    return this.#put(made(this.name, 'SOA', ttlOf(parameters), rData))
  }

  #place(parameters: Parameters): [name: string, type: string] {
    const name = (parameters.get('domain') ?? '').toLowerCase()
    const type = parameters.get('type') ?? ''
    if (name !== this.name && !name.endsWith(`.${this.name}`))
      throw new Wrong(`The domain name '${name}' does not belong to the zone: ${this.name}`)
    const label = /^(\*|[a-z0-9_-]{1,63})$/
    if (!name.split('.').every((part) => label.test(part))) throw new Wrong(`Invalid domain name: ${name}`)
    if (!TYPES.includes(type)) throw new Wrong('Invalid value was specified for the parameter: type')
    if (type === 'DS' && name === this.name) throw new Wrong('Cannot set DS records at the zone apex.')
    return [name, type]
  }

  /** By the meaning of the data. */
  #find(name: string, type: string, rData: Body): TechnitiumRecord | undefined {
    const wanted = presentationOf(type, rData).toLowerCase()
    return this.#records.find(
      (record) =>
        record.name === name &&
        record.type === type &&
        (type === 'TXT'
          ? isDeepStrictEqual(record.rData, rData)
          : presentationOf(type, record.rData).toLowerCase() === wanted),
    )
  }

  #mustStandBeside(name: string, type: string): void {
    const others = this.#records.filter((record) => record.name === name && record.type !== type)
    if (type === 'CNAME' && (others.length > 0 || name === this.name))
      throw new Wrong(
        'Cannot add record: a CNAME record cannot exist with other record types for the same name.',
      )
    if (others.some((record) => record.type === 'CNAME'))
      throw new Wrong('Cannot add record: a CNAME record already exists for the same name.')
  }

  #take(isGone: (record: TechnitiumRecord) => boolean): void {
    this.#records = this.#records.filter((record) => !isGone(record))
  }

  /** A set has one TTL: that of the last who said one. */
  #put(record: TechnitiumRecord): TechnitiumRecord {
    for (const other of this.#records)
      if (other.name === record.name && other.type === record.type) other.ttl = record.ttl
    this.#records.push(record)
    this.#raise()
    return structuredClone(record)
  }

  #raise(): void {
    this.#soa['serial'] = this.serial + 1
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

const made = (name: string, type: string, ttl: number, rData: Body): TechnitiumRecord => ({
  disabled: false,
  name,
  type,
  ttl,
  rData,
  dnssecStatus: 'Unknown',
  lastUsedOn: NEVER,
})

function commentsOf(parameters: Parameters): { comments?: string } {
  const comments = parameters.get('comments') ?? ''
  return comments === '' ? {} : { comments }
}

function ttlOf(parameters: Parameters): number {
  const ttl = Number(parameters.get('ttl') ?? DEFAULT_TTL)
  if (!Number.isInteger(ttl) || ttl < 0 || ttl > 2 ** 31 - 1)
    throw new Wrong('Invalid value was specified for the parameter: ttl')
  return ttl
}
