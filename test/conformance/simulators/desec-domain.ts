import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json, type Body } from './answers.ts'
import { inZone } from './rdata.ts'
import { RRsetZone } from './rrset-zone.ts'

export interface DesecRRset {
  created: string
  domain: string
  /** '' for the apex. */
  subname: string
  /** With the final dot. */
  name: string
  type: string
  records: string[]
  /** Seconds. */
  ttl: number
  touched: string
}

export type Method = 'POST' | 'PUT' | 'PATCH'
/** Reasons by field. */
type Errors = Record<string, string[]>

/** Documented as supported. */
const TYPES = new Set(
  (
    'A AAAA AFSDB APL CAA CDNSKEY CDS CERT CNAME DHCID DNAME DNSKEY DLV DS EUI48 EUI64 HINFO HTTPS KX LOC MX NAPTR NS ' +
    'OPENPGPKEY PTR RP SMIMEA SPF SRV SSHFP SVCB TLSA TXT URI'
  ).split(' '),
)
/** Made by the server alone. */
const MANAGED = new Set(['SOA', 'RRSIG', 'NSEC3PARAM'])
const SUBNAME = /^((\*|[a-z0-9_-]+)(\.[a-z0-9_-]+)*)?$/
const MAX_TTL = 86_400
const MAX_RECORDS = 4091
const MAX_LENGTH = 64_000
export const ALLOW = { allow: 'GET, POST, PUT, PATCH, HEAD, OPTIONS' }

export const nonField = (message: string): Errors => ({ non_field_errors: [message] })

const RULES = {
  name: 'subname',
  type: 'type',
  missing: () => detail(404, 'No RRset matches the given query.'),
  clash: (_rrset: DesecRRset, others: DesecRRset[]) => new Refused(json(400, conflictWith(others))),
} as const

export const detail = (status: number, text: string, headers: Record<string, string> = {}) =>
  new Refused(json(status, { detail: text }, { ...ALLOW, ...headers }))

/** One domain, with the checks that deSEC makes when it is changed. */
export class DesecDomain extends RRsetZone<DesecRRset> {
  readonly created: string
  /** Seconds; support lowers it on demand. */
  readonly minimumTtl: number
  touched: string

  constructor(name: string, { minimumTtl = 3600 }: Body) {
    const [ttl, created] = [Number(minimumTtl), now()]
    const servers = { subname: '', type: 'NS', records: ['ns1.desec.io.', 'ns2.desec.org.'], ttl }
    super(name, RULES, [{ ...servers, domain: name, name: `${name}.`, created, touched: created }])
    this.created = created
    this.touched = created
    this.minimumTtl = ttl
  }

  /** Copies, the newest first. */
  override get rrsets(): DesecRRset[] {
    return structuredClone(this.held.toReversed())
  }

  /** One or many, all or nothing. Answers what is there afterwards. */
  write(method: Method, body: unknown): DesecRRset[] {
    const items = Array.isArray(body) ? body : [body]
    const repeated = repeats(items)
    const judged = items.map((item, i) => repeated[i] ?? this.#judge(method, item))
    const written = judged.flatMap((result) => ('rrset' in result ? [result.rrset] : []))
    const refuse = (errors: Errors[]) => new Refused(json(400, Array.isArray(body) ? errors : errors[0]))
    if (written.length < judged.length)
      throw refuse(judged.map((result) => ('errors' in result ? result.errors : {})))
    return this.atOnce(() => {
      // Which of them clash is seen when all are in place.
      for (const rrset of written) this.#put(rrset)
      const conflicts = written.map((rrset) => this.#conflict(rrset))
      if (conflicts.some((conflict) => conflict !== null))
        throw refuse(conflicts.map((conflict) => conflict ?? {}))
      this.touched = now()
      return written.flatMap(({ subname, type }) => this.read(subname, type) ?? [])
    })
  }

  override delete(subname: string, type: string): boolean {
    this.touched = now()
    return super.delete(subname, type)
  }

  /** What the write makes of one set. */
  #judge(method: Method, item: unknown): { rrset: Written } | { errors: Errors } {
    if (!isBody(item)) return { errors: nonField('Invalid data. Expected a dictionary.') }
    const { subname = '', type } = item
    const required = method === 'PATCH' ? ['type'] : ['type', 'records', 'ttl']
    const missing = required.filter((field) => item[field] === undefined)
    if (typeof type !== 'string' || typeof subname !== 'string' || missing.length > 0)
      return { errors: needed(missing) }
    if (!SUBNAME.test(subname) || subname.length > 178) return { errors: { subname: [SUBNAME_RULE] } }
    if (MANAGED.has(type)) return { errors: { type: [`You cannot tinker with the ${type} RRset.`] } }
    if (!TYPES.has(type)) return { errors: { type: [`The ${type} RRset type is currently unsupported.`] } }
    const old = this.read(subname, type)
    if (method === 'POST' && old !== null) return { errors: nonField(DUPLICATE) }
    const { records = old?.records, ttl = old?.ttl } = item
    if (Array.isArray(records) && records.length === 0 && method !== 'POST')
      return { rrset: { subname, type, records: [], ttl: 0 } }
    if (records === undefined || ttl === undefined)
      return { errors: needed(['records', 'ttl'].filter((field) => item[field] === undefined)) }
    const errors = this.#wrongTtl(ttl) ?? this.#wrongRecords(type, subname, records)
    if (errors !== null) return { errors }
    const written = new Set((records as string[]).map((record) => this.#canonical(type, record) ?? record))
    // The order of a set's values means nothing and is not kept.
    return { rrset: { subname, type, records: [...written].toReversed(), ttl: Number(ttl) } }
  }

  #wrongTtl(ttl: unknown): Errors | null {
    if (!Number.isInteger(ttl)) return { ttl: ['A valid integer is required.'] }
    const wrong = (bound: string, than: number) => ({
      ttl: [`Ensure this value is ${bound} than or equal to ${than}.`],
    })
    if (Number(ttl) < this.minimumTtl) return wrong('greater', this.minimumTtl)
    return Number(ttl) > MAX_TTL ? wrong('less', MAX_TTL) : null
  }

  #wrongRecords(type: string, subname: string, records: unknown): Errors | null {
    if (!Array.isArray(records) || records.length === 0 || records.some((one) => typeof one !== 'string'))
      return { records: ['This field must be a list of strings.'] }
    if (records.length > MAX_RECORDS || JSON.stringify(records).length > MAX_LENGTH)
      return nonField('Total length of RRset exceeds limit.')
    if (type === 'CNAME' && subname === '') return nonField('CNAME RRset cannot have empty subname.')
    if (type === 'CNAME' && records.length > 1) return nonField('CNAME RRset cannot have multiple records.')
    const wrong = (records as string[]).filter((record) => this.#canonical(type, record) === null)
    return wrong.length === 0 ? null : nonField(`Record content of type ${type} malformed.`)
  }

  /** As the server writes it; null: not of this type. A name without the final dot is one below the domain. */
  #canonical(type: string, record: string): string | null {
    const known = readType(type)
    if (known === null) return record.trim() === '' ? null : record
    if (type === 'TXT' && !record.startsWith('"')) return null
    const value = typeOf(known).read(inZone(type, record, this.name))
    if (value === null) return null
    const written = typeOf(known).write(value)
    // The server puts quotes around what a parameter is.
    return type === 'HTTPS' || type === 'SVCB'
      ? written.replace(/ ([a-z0-9-]+)=([^" ]+)/g, ' $1="$2"')
      : written
  }

  #conflict({ subname, type }: Written): Errors | null {
    const rrset = this.read(subname, type)
    if (rrset === null || !this.clashes(rrset)) return null
    return conflictWith(this.siblings(rrset).filter((other) => [type, other.type].includes('CNAME')))
  }

  /** A set without records is no more. */
  #put({ subname, type, records, ttl }: Written): void {
    if (records.length === 0) return void super.delete(subname, type)
    const touched = now()
    const name = subname === '' ? `${this.name}.` : `${subname}.${this.name}.`
    const created = this.read(subname, type)?.created ?? touched
    this.hold({ created, domain: this.name, subname, name, type, records, ttl, touched })
  }
}

type Written = Pick<DesecRRset, 'subname' | 'type' | 'records' | 'ttl'>

const SUBNAME_RULE =
  "Subname can only use (lowercase) a-z, 0-9, ., -, and _, may start with a '*.', or just be '*'."
const DUPLICATE = 'Another RRset with the same subdomain and type exists for this domain. (Try modifying it.)'

const now = () => new Date().toISOString().replace('Z', '000Z')
const needed = (fields: string[]): Errors =>
  Object.fromEntries(fields.map((field) => [field, ['This field is required.']]))

const conflictWith = (others: DesecRRset[]): Errors => {
  const types = others.map(({ type }) => type).join(', ')
  return nonField(
    `RRset with conflicting type present at same subname: database (${types}). (No other RRsets are allowed alongside CNAME.)`,
  )
}

/** The sets that are named twice, with what is said of them. */
function repeats(items: unknown[]): ({ errors: Errors } | undefined)[] {
  const keys = items.map((item) => {
    const { subname = '', type } = isBody(item) ? item : ({} as Body)
    return JSON.stringify([subname, type])
  })
  const count = new Map<string, number[]>()
  for (const [i, key] of keys.entries()) count.set(key, [...(count.get(key) ?? []), i])
  return keys.map((key, i) => {
    const others = (count.get(key) ?? []).filter((other) => other !== i)
    if (others.length === 0) return undefined
    return {
      errors: nonField(`Same subname and type as in position(s) ${others.join(', ')}, but must be unique.`),
    }
  })
}
