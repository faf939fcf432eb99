import { isDeepStrictEqual } from 'node:util'
import { readQuoted } from '../../../dns/text/text.ts'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { isBody, type Body } from './answers.ts'
import { alreadyExists, invalid, missing, refusal, required } from './google-answers.ts'

export interface GoogleRRset {
  /** With the final dot. */
  name: string
  type: string
  /** Seconds. */
  ttl: number
  /** Missing where there is a policy. */
  rrdatas?: string[]
  routingPolicy?: Body
}

export interface GoogleChange {
  id: string
  additions: GoogleRRset[]
  deletions: GoogleRRset[]
  startTime: string
}

/** Documented as supported; DNSKEY only in zones that are on their way from elsewhere. */
const TYPES =
  'A AAAA ALIAS CAA CNAME DS HTTPS IPSECKEY MX NAPTR NS PTR SOA SPF SRV SSHFP SVCB TLSA TXT'.split(' ')
const MAX_TTL = 2 ** 31 - 1
const MAX_CHANGES = 1000
const LABELS = /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+$/i

const keyOf = ({ name, type }: GoogleRRset) => `${name} ${type}`
const shown = ({ name, type }: GoogleRRset) => `${name} (${type})`

let zones = 699_036_609_868

/** One managed zone, with the checks that Cloud DNS makes when it is changed. All methods throw Refused. */
export class GoogleZone {
  /** A number. */
  readonly id = `${++zones}956548`
  /** The slug; may stand in paths where the id may. */
  readonly name: string
  /** With the final dot. */
  readonly dnsName: string
  readonly description: string
  readonly creationTime = new Date().toISOString()
  readonly nameServers = [1, 2, 3, 4].map((i) => `ns-cloud-c${i}.googledomains.com.`)
  isSigned = false
  readonly changes: GoogleChange[] = []
  #rrsets = new Map<string, GoogleRRset>()
  #sorted: readonly GoogleRRset[] | null = null

  constructor(name: string, dnsName: string, description = '') {
    this.name = name
    this.dnsName = dnsName
    this.description = description
    const soa = `${this.nameServers[0]} cloud-dns-hostmaster.google.com. 1 21600 3600 259200 300`
    this.change({
      additions: [
        { name: dnsName, type: 'NS', ttl: 21_600, rrdatas: this.nameServers },
        { name: dnsName, type: 'SOA', ttl: 21_600, rrdatas: [soa] },
      ],
    })
  }

  /** Copies, by name and type. */
  get rrsets(): GoogleRRset[] {
    return structuredClone([...this.list()])
  }

  /** By name and type, not copied. */
  list(): readonly GoogleRRset[] {
    this.#sorted ??= [...this.#rrsets.values()].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
    return this.#sorted
  }

  get(name: string, type: string): GoogleRRset {
    const found = this.#rrsets.get(keyOf({ name: name.toLowerCase(), type, ttl: 0 }))
    if (found === undefined) throw missing('parameters.name', `${name} (${type})`)
    return structuredClone(found)
  }

  /** Those of others than the zone itself. */
  get isEmpty(): boolean {
    return this.#rrsets.size <= 2
  }

  /** All or nothing: the deletions first. */
  change(body: unknown): GoogleChange {
    const { additions = [], deletions = [] } = isBody(body) ? body : {}
    if (!Array.isArray(additions) || !Array.isArray(deletions)) throw invalid('entity.change')
    if (additions.length + deletions.length === 0) throw required('entity.change')
    for (const [field, { length }] of Object.entries({ additions, deletions }))
      if (length > MAX_CHANGES) throw tooMany(`entity.change.${field}`, length)
    const before = new Map(this.#rrsets)
    this.#sorted = null
    try {
      const deleted = deletions.map((item, i) => this.#delete(item, `entity.change.deletions[${i}]`))
      const added = additions.map((item, i) => this.#add(item, `entity.change.additions[${i}]`))
      for (const rrset of added) this.#checkAlone(rrset)
      for (const type of ['NS', 'SOA']) if (!this.#rrsets.has(`${this.dnsName} ${type}`)) throw noApex(type)
      const startTime = new Date().toISOString()
      const change = { id: String(this.changes.length), additions: added, deletions: deleted, startTime }
      this.changes.push(change)
      return change
    } catch (error) {
      this.#rrsets = before
      throw error
    }
  }

  #delete(item: unknown, field: string): GoogleRRset {
    const wanted = this.#read(item, field)
    const held = this.#rrsets.get(keyOf(wanted))
    if (held === undefined) throw missing(field, shown(wanted))
    if (!isDeepStrictEqual(comparable(held), comparable(wanted)))
      throw refusal(412, 'conditionNotMet', `Precondition not met for '${field}'`)
    this.#rrsets.delete(keyOf(wanted))
    return held
  }

  #add(item: unknown, field: string): GoogleRRset {
    const rrset = this.#read(item, field)
    const { name, type, rrdatas = [], routingPolicy } = rrset
    const isApex = name === this.dnsName
    if ((type === 'SOA' || type === 'ALIAS') && !isApex) throw invalid(`${field}.type`, type)
    if (type === 'ALIAS' && this.isSigned) throw invalid(`${field}.type`, type)
    const values = routingPolicy === undefined ? rrdatas : valuesOfPolicy(routingPolicy, field)
    for (const [i, value] of values.entries())
      if (!isValue(type, value)) throw invalid(`${field}.rrdatas[${i}]`, value)
    const meanings = rrdatas.map((value) => meaningOf(type, value) ?? value)
    if (new Set(meanings).size < meanings.length) throw invalid(`${field}.rrdatas`, rrdatas.join())
    if (['CNAME', 'ALIAS', 'SOA'].includes(type) && rrdatas.length > 1) throw invalid(`${field}.rrdatas`)
    if (this.#rrsets.has(keyOf(rrset))) throw alreadyExists(field, shown(rrset))
    this.#rrsets.set(keyOf(rrset), rrset)
    return rrset
  }

  /** A name that is an alias has nothing else. */
  #checkAlone({ name, type }: GoogleRRset): void {
    const others = [...this.#rrsets.values()].filter((other) => other.name === name && other.type !== type)
    const clash = others.find((other) => type === 'CNAME' || other.type === 'CNAME')
    if (clash === undefined) return
    const field = `entity.change.additions[${name}][${type}]`
    const has = `the DNS name '${name}' has a resource record set of the type '${clash.type}'`
    const rule =
      'A DNS name may have either one CNAME resource record set or resource record sets of other types, but not both.'
    throw refusal(
      400,
      'cnameResourceRecordSetConflict',
      `The resource record set '${field}' is invalid because ${has}. ${rule}`,
    )
  }

  #read(item: unknown, field: string): GoogleRRset {
    if (!isBody(item)) throw invalid(field)
    const { name, type, ttl, rrdatas, routingPolicy } = item
    const plain = String(name).toLowerCase()
    const isBelow = plain === this.dnsName || plain.endsWith(`.${this.dnsName}`)
    if (!isBelow || !LABELS.test(plain) || plain.length > 254) throw invalid(`${field}.name`, name)
    if (typeof type !== 'string' || !TYPES.includes(type)) throw invalid(`${field}.type`, type)
    if (!Number.isInteger(ttl) || Number(ttl) < 0 || Number(ttl) > MAX_TTL) throw invalid(`${field}.ttl`, ttl)
    const hasData = Array.isArray(rrdatas) && rrdatas.length > 0
    // Either the one or the other.
    if (hasData === isBody(routingPolicy)) throw invalid(`${field}.rrdatas`)
    const own = hasData ? { rrdatas: rrdatas.map(String) } : { routingPolicy: routingPolicy as Body }
    return { name: plain, type, ttl: Number(ttl), ...own }
  }
}

const tooMany = (field: string, size: number) => {
  const rule = `maximum size ${MAX_CHANGES} element(s); actual size ${size}`
  return refusal(400, 'invalid', `Value for field '${field}' is too large: ${rule}.`)
}

const noApex = (type: string) =>
  refusal(
    400,
    'invalidZoneApex',
    `A zone must contain exactly one resource record set of type '${type}' at the apex.`,
  )

/** To the letter, but for the order of values: stricter than is known. */
const comparable = ({ ttl, rrdatas, routingPolicy }: GoogleRRset) => ({
  ttl,
  rrdatas: rrdatas?.toSorted(),
  routingPolicy,
})

/** Of the weighted or located items of a policy. */
function valuesOfPolicy({ wrr, geo }: Body, field: string): string[] {
  const policy = isBody(wrr) ? wrr : isBody(geo) ? geo : {}
  const items = Array.isArray(policy['items']) ? (policy['items'] as Body[]) : []
  if (items.length === 0) throw invalid(`${field}.routingPolicy`)
  return items.flatMap(({ rrdatas }) => (Array.isArray(rrdatas) ? rrdatas.map(String) : []))
}

/** The value in our canonical form; null: it is none of the type, or we have none. Names have the final dot. */
export function meaningOf(type: string, value: string): string | null {
  const known = readType(type)
  return known === null ? null : typeOf(known).read(value)
}

const ENDS_IN_NAME = new Set(['ALIAS', 'CNAME', 'MX', 'NAPTR', 'NS', 'PTR', 'SRV'])

function isValue(type: string, value: string): boolean {
  // Stricter than is known: other bytes are taken by decimal numbers alone.
  if (value === '' || /[^ -~]/.test(value)) return false
  if (ENDS_IN_NAME.has(type) && !value.endsWith('.')) return false
  if (['HTTPS', 'SVCB'].includes(type) && !/^\d+ \S*\.( |$)/.test(value)) return false
  if (type === 'SOA') return value.split(' ').length === 7
  if (type === 'TXT' || type === 'SPF')
    return readQuoted(value)?.every(({ length }) => length <= 255) ?? false
  return readType(type) === null || meaningOf(type, value) !== null
}
