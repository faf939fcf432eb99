import { isDeepStrictEqual } from 'node:util'
import { readQuoted } from '../../../dns/text/text.ts'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json, type Body } from './answers.ts'
import { MAX_TTL, isInteger } from './checks.ts'
import { RRsetZone } from './rrset-zone.ts'

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

export const JSON_TYPE = { 'content-type': 'application/json; charset=UTF-8' }

/** In the envelope of Google's APIs. `reason` is for programs. */
export const refusal = (
  code: number,
  reason: string,
  message: string,
  { headers = {}, ...more }: { headers?: Record<string, string>; status?: string } = {},
): Refused => {
  const error = { code, message, errors: [{ message, domain: 'global', reason }], ...more }
  return new Refused(json(code, { error }, { ...JSON_TYPE, ...headers }))
}
export const invalid = (what: string, value?: unknown) =>
  refusal(400, 'invalid', `Invalid value for '${what}'${typeof value === 'string' ? `: '${value}'` : ''}`)
export const missing = (what: string, name: string) =>
  refusal(404, 'notFound', `The '${what}' resource named '${name}' does not exist.`)
export const alreadyExists = (what: string, name: string) =>
  refusal(409, 'alreadyExists', `The resource '${what}' named '${name}' already exists`)
export const required = (what: string) =>
  refusal(400, 'required', `The '${what}' parameter is required but was missing.`)

/** Documented as supported; DNSKEY only in zones that are on their way from elsewhere. */
const TYPES =
  'A AAAA ALIAS CAA CNAME DS HTTPS IPSECKEY MX NAPTR NS PTR SOA SPF SRV SSHFP SVCB TLSA TXT'.split(' ')
const ENDS_IN_NAME = new Set(['ALIAS', 'CNAME', 'MX', 'NAPTR', 'NS', 'PTR', 'SRV'])
const MAX_CHANGES = 1000
const LABELS = /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)+$/i

const shown = ({ name, type }: GoogleRRset) => `${name} (${type})`

const RULES = {
  name: 'name',
  type: 'type',
  missing: (name: string, type: string) => missing('parameters.name', `${name} (${type})`),
  clash: ({ name, type }: GoogleRRset, [clash]: GoogleRRset[]) => {
    const field = `entity.change.additions[${name}][${type}]`
    const has = `the DNS name '${name}' has a resource record set of the type '${clash?.type}'`
    const rule =
      'A DNS name may have either one CNAME resource record set or resource record sets of other types, but not both.'
    return refusal(
      400,
      'cnameResourceRecordSetConflict',
      `The resource record set '${field}' is invalid because ${has}. ${rule}`,
    )
  },
} as const

let zones = 699_036_609_868

/** One managed zone, with the checks that Cloud DNS makes when it is changed. */
export class GoogleZone extends RRsetZone<GoogleRRset> {
  /** A number. */
  readonly id = `${++zones}956548`
  /** What the API calls the name; in paths, the id may be used in its place. */
  readonly slug: string
  /** With the final dot. */
  readonly dnsName: string
  readonly description: string
  readonly creationTime = new Date().toISOString()
  readonly nameServers: string[]
  readonly changes: GoogleChange[] = []
  isSigned = false
  /** How often it is asked in vain whether a change is done. */
  unfinished = 0

  /** `given`: of one that was made by the API. */
  constructor(
    name: string,
    { slug, dnsName, description }: Partial<Record<'slug' | 'dnsName' | 'description', string>>,
  ) {
    const nameServers = [1, 2, 3, 4].map((i) => `ns-cloud-c${i}.googledomains.com.`)
    const whole = dnsName ?? `${name}.`
    const soa = `${nameServers[0]} cloud-dns-hostmaster.google.com. 1 21600 3600 259200 300`
    super(name, RULES, [
      { name: whole, type: 'NS', ttl: 21_600, rrdatas: nameServers },
      { name: whole, type: 'SOA', ttl: 21_600, rrdatas: [soa] },
    ])
    this.slug = slug ?? `zone-${name.replaceAll('.', '-')}`
    this.dnsName = whole
    this.description = description ?? ''
    this.nameServers = nameServers
  }

  /** Whether it has no RRsets but those that every zone has. */
  get isEmpty(): boolean {
    return this.held.length <= 2
  }

  /** All or nothing: the deletions first. */
  change(body: unknown): GoogleChange {
    const { additions = [], deletions = [] } = isBody(body) ? body : {}
    if (!Array.isArray(additions) || !Array.isArray(deletions)) throw invalid('entity.change')
    if (additions.length + deletions.length === 0) throw required('entity.change')
    for (const [field, { length }] of Object.entries({ additions, deletions }))
      if (length > MAX_CHANGES) {
        const rule = `maximum size ${MAX_CHANGES} element(s); actual size ${length}`
        throw refusal(400, 'invalid', `Value for field 'entity.change.${field}' is too large: ${rule}.`)
      }
    return this.atOnce(() => {
      const deleted = deletions.map((item, i) => this.#delete(item, `entity.change.deletions[${i}]`))
      const added = additions.map((item, i) => this.#add(item, `entity.change.additions[${i}]`))
      for (const type of ['NS', 'SOA']) if (this.read(this.dnsName, type) === null) throw noApex(type)
      const startTime = new Date().toISOString()
      const change = { id: String(this.changes.length), additions: added, deletions: deleted, startTime }
      this.changes.push(change)
      return change
    })
  }

  #delete(item: unknown, field: string): GoogleRRset {
    const wanted = this.#read(item, field)
    const held = this.read(wanted.name, wanted.type)
    if (held === null) throw missing(field, shown(wanted))
    if (!isDeepStrictEqual(comparable(held), comparable(wanted)))
      throw refusal(412, 'conditionNotMet', `Precondition not met for '${field}'`)
    this.delete(held.name, held.type)
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
    if (this.read(name, type) !== null) throw alreadyExists(field, shown(rrset))
    return this.put(rrset)
  }

  #read(item: unknown, field: string): GoogleRRset {
    if (!isBody(item)) throw invalid(field)
    const { name, type, ttl, rrdatas, routingPolicy } = item
    const plain = String(name).toLowerCase()
    const isBelow = plain === this.dnsName || plain.endsWith(`.${this.dnsName}`)
    if (!isBelow || !LABELS.test(plain) || plain.length > 254) throw invalid(`${field}.name`, name)
    if (typeof type !== 'string' || !TYPES.includes(type)) throw invalid(`${field}.type`, type)
    if (!isInteger(ttl, 0, MAX_TTL)) throw invalid(`${field}.ttl`, ttl)
    const hasData = Array.isArray(rrdatas) && rrdatas.length > 0
    // Either the one or the other.
    if (hasData === isBody(routingPolicy)) throw invalid(`${field}.rrdatas`)
    const own = hasData ? { rrdatas: rrdatas.map(String) } : { routingPolicy: routingPolicy as Body }
    return { name: plain, type, ttl, ...own }
  }
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

/** The value in our canonical form; null: it is not one of the type, or we have none. */
function meaningOf(type: string, value: string): string | null {
  const known = readType(type)
  return known === null ? null : typeOf(known).read(value)
}

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
