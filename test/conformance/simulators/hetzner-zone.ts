import { readQuoted } from '../../../dns/text/text.ts'
import { isBody, type Body } from './answers.ts'
import { failure } from './hetzner-actions.ts'
import { MAX_TTL, isData, isInteger, isLabels } from './checks.ts'
import { inZone } from './rdata.ts'
import { RRsetZone } from './rrset-zone.ts'

export interface HetznerRecord {
  /** As a master file has it. */
  value: string
  /** '' for none. */
  comment: string
}

export interface HetznerRRset {
  /** Such as `www/A`. */
  id: string
  /** Relative to the zone, `@` for the apex. */
  name: string
  type: string
  /** Seconds; null: that of the zone. */
  ttl: number | null
  labels: Record<string, string>
  protection: { change: boolean }
  records: HetznerRecord[]
  zone: number
}

/** What is in force once the action is done. */
type Effect = () => void

const TYPES = new Set('A AAAA CAA CNAME DS HINFO HTTPS MX NS PTR RP SOA SRV SVCB TLSA TXT'.split(' '))
export const NAME_SERVERS = ['hydrogen.ns.hetzner.com.', 'oxygen.ns.hetzner.com.', 'helium.ns.hetzner.de.']
const MIN_TTL = 60

export const invalid = (field: string, reason: string) =>
  failure(422, 'invalid_input', `invalid input in field '${field}': ${reason}`, {
    fields: [{ name: field, messages: [reason] }],
  })

const RULES = {
  name: 'name',
  type: 'type',
  missing: () => failure(404, 'not_found', 'RRSet not found'),
  clash: ({ type }: HetznerRRset) =>
    type === 'CNAME'
      ? invalid('name', 'CNAME must be the only record of its name')
      : invalid('name', 'there is a CNAME record of this name'),
} as const

let ids = 53_090

const newRRset = (
  zone: number,
  [name, type]: [name: string, type: string],
  ttl: number | null,
  records: HetznerRecord[],
): HetznerRRset => {
  const id = `${name}/${type}`
  return { id, name, type, ttl, labels: {}, protection: { change: false }, records, zone }
}

const SOA = { value: `${NAME_SERVERS[0]} dns.hetzner.com. 2026011546 86400 10800 3600000 3600`, comment: '' }
const NS = NAME_SERVERS.map((value) => ({ value, comment: '' }))

/**
 * One zone, with the checks that Hetzner makes when it is changed. Methods that change something answer what takes
 * effect when the action is done. What is not documented is refused: setting the records of a set that is not there,
 * removing a record that is not, adding with another TTL than the set has.
 */
export class HetznerZone extends RRsetZone<HetznerRRset> {
  readonly id: number
  readonly created = new Date().toISOString()
  /** Seconds. */
  ttl: number
  labels: Record<string, string> = {}
  isProtected = false
  mode: 'primary' | 'secondary' = 'primary'

  constructor(name: string, ttl = 3600) {
    const id = ++ids
    super(name, RULES, [newRRset(id, ['@', 'SOA'], null, [SOA]), newRRset(id, ['@', 'NS'], null, NS)])
    this.id = id
    this.ttl = ttl
  }

  create(body: Body): { rrset: HetznerRRset; effect: Effect } {
    const { name, type, ttl = null, labels } = body
    this.#mustBePrimary()
    if (name !== '@' && !isLabels(name)) throw invalid('name', 'is not a valid RRSet name')
    if (typeof type !== 'string' || !TYPES.has(type)) throw invalid('type', 'is not a valid RRSet type')
    if (this.read(name, type) !== null)
      throw failure(409, 'uniqueness_error', 'RRSet already exists', { fields: [{ name: 'name' }] })
    const rrset = newRRset(this.id, [name, type], readTtl(ttl), this.#readRecords(type, body['records']))
    if (isBody(labels)) rrset.labels = labels as Record<string, string>
    return { rrset, effect: this.#putting(rrset) }
  }

  setRecords(name: string, type: string, body: Body): Effect {
    return this.#putting({ ...this.#open(name, type), records: this.#readRecords(type, body['records']) })
  }

  /** The set is made where it is not there. */
  addRecords(name: string, type: string, body: Body): Effect {
    if (this.read(name, type) === null) return this.create({ ...body, name, type }).effect
    const rrset = this.#open(name, type)
    const { ttl } = body
    if (ttl !== undefined && readTtl(ttl) !== rrset.ttl)
      throw invalid('ttl', 'differs from that of the RRSet')
    const records = this.#readRecords(type, body['records'])
    if (records.some(({ value }) => rrset.records.some((held) => held.value === value)))
      throw invalid('records', 'record already exists')
    return this.#putting({ ...rrset, records: [...rrset.records, ...records] })
  }

  /** A set without records is no more. */
  removeRecords(name: string, type: string, body: Body): Effect {
    const rrset = this.#open(name, type)
    const gone = new Set(this.#readRecords(type, body['records']).map(({ value }) => value))
    const records = rrset.records.filter(({ value }) => !gone.has(value))
    if (records.length !== rrset.records.length - gone.size) throw invalid('records', 'record does not exist')
    return records.length === 0 ? this.deleteRRset(name, type) : this.#putting({ ...rrset, records })
  }

  /** Their comments. */
  updateRecords(name: string, type: string, body: Body): Effect {
    const rrset = this.#open(name, type)
    const updates = this.#readRecords(type, body['records'])
    if (updates.some(({ value }) => !rrset.records.some((held) => held.value === value)))
      throw invalid('records', 'record does not exist')
    const records = rrset.records.map(
      (record) => updates.find(({ value }) => value === record.value) ?? record,
    )
    return this.#putting({ ...rrset, records })
  }

  changeTtl(name: string, type: string, body: Body): Effect {
    return this.#putting({ ...this.#open(name, type), ttl: readTtl(body['ttl']) })
  }

  changeProtection(name: string, type: string, body: Body): Effect {
    const { change } = body
    if (typeof change !== 'boolean') throw invalid('change', 'is required')
    const rrset = this.get(name, type)
    return () => void this.hold({ ...rrset, protection: { change } })
  }

  /** At once. */
  putLabels(name: string, type: string, body: Body): HetznerRRset {
    const rrset = this.get(name, type)
    if (isBody(body['labels'])) rrset.labels = body['labels'] as Record<string, string>
    return this.hold(rrset)
  }

  deleteRRset(name: string, type: string): Effect {
    const { id } = this.#open(name, type)
    if (id === '@/NS') throw invalid('records', "Hetzner's name servers cannot be removed")
    return () => void this.delete(name, type)
  }

  #mustBePrimary(): void {
    if (this.mode === 'secondary')
      throw failure(422, 'incorrect_zone_mode', 'only RRSets of primary zones can be changed')
  }

  /** Of a set that may be changed. */
  #open(name: string, type: string): HetznerRRset {
    this.#mustBePrimary()
    const rrset = this.get(name, type)
    if (type === 'SOA') throw invalid('type', 'SOA cannot be changed')
    if (rrset.protection.change) throw failure(423, 'protected', 'RRSet is protected against changes')
    return rrset
  }

  #readRecords(type: string, given: unknown): HetznerRecord[] {
    if (!Array.isArray(given) || given.length === 0) throw invalid('records', 'must have at least 1 record')
    const records = given.map((item: unknown) => {
      const { value, comment = '' } = isBody(item) ? item : {}
      if (typeof value !== 'string' || !this.#isValue(type, value)) throw invalid('records', 'invalid value')
      if (comment !== null && typeof comment !== 'string') throw invalid('records', 'invalid comment')
      return { value, comment: comment ?? '' }
    })
    if (new Set(records.map(({ value }) => value)).size < records.length)
      throw invalid('records', 'records must be distinct')
    return records
  }

  #isValue(type: string, value: string): boolean {
    // In quotes, and of at most 255 bytes each.
    if (type === 'TXT') return readQuoted(value)?.every((bytes) => bytes.length <= 255) === true
    return isData(type, inZone(type, value, this.name))
  }

  #putting(rrset: HetznerRRset): Effect {
    const { id, type, records } = rrset
    if (this.clashes(rrset) || (type === 'CNAME' && records.length > 1)) throw RULES.clash(rrset)
    if (id === '@/NS' && !NAME_SERVERS.every((server) => records.some(({ value }) => value === server)))
      throw invalid('records', "Hetzner's name servers cannot be removed")
    return () => void this.hold(rrset)
  }
}

function readTtl(ttl: unknown): number | null {
  if (ttl === null) return null
  if (!isInteger(ttl, MIN_TTL, MAX_TTL)) throw invalid('ttl', `must be between ${MIN_TTL} and ${MAX_TTL}`)
  return ttl
}
