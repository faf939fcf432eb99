import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json, type Body } from './answers.ts'
import { inZone } from './rdata.ts'

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

type Method = 'POST' | 'PUT' | 'PATCH'
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

const keyOf = ({ subname, type }: { subname: string; type: string }) => `${subname} ${type}`
const nonField = (message: string): Errors => ({ non_field_errors: [message] })

/** One domain, with the checks that deSEC makes when it is changed. */
export class DesecDomain {
  readonly name: string
  readonly created = now()
  /** Seconds; support lowers it on demand. */
  readonly minimumTtl: number
  touched = this.created
  #rrsets = new Map<string, DesecRRset>()

  constructor(name: string, minimumTtl = 3600) {
    this.name = name
    this.minimumTtl = minimumTtl
    this.#put({ subname: '', type: 'NS', records: ['ns1.desec.io.', 'ns2.desec.org.'], ttl: minimumTtl })
  }

  /** Copies, the newest first. */
  get rrsets(): DesecRRset[] {
    return structuredClone([...this.#rrsets.values()].toReversed())
  }

  get(subname: string, type: string): DesecRRset | null {
    return structuredClone(this.#rrsets.get(keyOf({ subname, type })) ?? null)
  }

  /** One or many, all or nothing. Answers what is there afterwards. Throws Refused. */
  write(method: Method, body: unknown): DesecRRset[] {
    const items = Array.isArray(body) ? body : [body]
    const before = new Map(this.#rrsets)
    const repeated = repeats(items)
    const judged = items.map((item, i) => repeated[i] ?? this.#judge(method, item))
    const wrong = judged.map((result) => ('errors' in result ? result.errors : {}))
    if (wrong.every(isFine)) {
      // Which of them clash is seen when all are in place.
      for (const result of judged) if ('rrset' in result) this.#put(result.rrset)
      for (const [i, result] of judged.entries())
        if ('rrset' in result) wrong[i] = this.#conflict(result.rrset) ?? {}
    }
    if (!wrong.every(isFine)) {
      this.#rrsets = before
      throw new Refused(json(400, Array.isArray(body) ? wrong : wrong[0]))
    }
    this.touched = now()
    return judged.flatMap((result) => {
      const found = 'rrset' in result ? this.get(result.rrset.subname, result.rrset.type) : null
      return found === null ? [] : [found]
    })
  }

  delete(subname: string, type: string): void {
    this.#rrsets.delete(keyOf({ subname, type }))
    this.touched = now()
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
    const old = this.#rrsets.get(keyOf({ subname, type }))
    if (method === 'POST' && old !== undefined) return { errors: nonField(DUPLICATE) }
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

  #conflict({ subname, type, records }: Written): Errors | null {
    if (records.length === 0) return null
    const others = [...this.#rrsets.values()].filter(
      (other) => other.subname === subname && other.type !== type,
    )
    const inTheWay = others.filter((other) => type === 'CNAME' || other.type === 'CNAME')
    if (inTheWay.length === 0) return null
    const types = inTheWay.map((other) => other.type).join(', ')
    return nonField(
      `RRset with conflicting type present at same subname: database (${types}). (No other RRsets are allowed alongside CNAME.)`,
    )
  }

  #put({ subname, type, records, ttl }: Written): void {
    const key = keyOf({ subname, type })
    if (records.length === 0) return void this.#rrsets.delete(key)
    const touched = now()
    const name = subname === '' ? `${this.name}.` : `${subname}.${this.name}.`
    const created = this.#rrsets.get(key)?.created ?? touched
    this.#rrsets.set(key, { created, domain: this.name, subname, name, type, records, ttl, touched })
  }
}

type Written = Pick<DesecRRset, 'subname' | 'type' | 'records' | 'ttl'>

const SUBNAME_RULE =
  "Subname can only use (lowercase) a-z, 0-9, ., -, and _, may start with a '*.', or just be '*'."
const DUPLICATE = 'Another RRset with the same subdomain and type exists for this domain. (Try modifying it.)'

const now = () => new Date().toISOString().replace('Z', '000Z')
const isFine = (errors: Errors) => Object.keys(errors).length === 0
const needed = (fields: string[]): Errors =>
  Object.fromEntries(fields.map((field) => [field, ['This field is required.']]))

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
