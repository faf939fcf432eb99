import { quoteBytes } from '../../../dns/text/strings.ts'
import { readQuoted } from '../../../dns/text/text.ts'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json } from './answers.ts'
import { inZone } from './rdata.ts'

export interface GandiRRset {
  /** Relative to the domain, `@` for the apex. */
  rrset_name: string
  rrset_type: string
  /** Seconds. */
  rrset_ttl: number
  /** As a master file has it. */
  rrset_values: string[]
}

export const TYPES =
  'A AAAA ALIAS CAA CDS CNAME DNAME DS KEY LOC MX NAPTR NS OPENPGPKEY PTR RP SPF SRV SSHFP TLSA TXT WKS'.split(
    ' ',
  )
const NAME = /^(@|(\*|[a-z0-9_-]{1,63})(\.[a-z0-9_-]{1,63})*)$/
const MIN_TTL = 300
const MAX_TTL = 2_592_000
const DEFAULT_TTL = 10_800

/** What a new domain begins with at Gandi's. */
const DEFAULTS: [name: string, type: string, ...values: string[]][] = [
  ['@', 'MX', '10 spool.mail.gandi.net.', '50 fb.mail.gandi.net.'],
  ['@', 'TXT', '"v=spf1 include:_mailcust.gandi.net ?all"'],
  ['webmail', 'CNAME', 'webmail.gandi.net.'],
  ['_imap._tcp', 'SRV', '0 0 0 .'],
  ['_imaps._tcp', 'SRV', '0 1 993 mail.gandi.net.'],
]

export const failure = (code: number, message: string, object: string, cause: string) =>
  new Refused(json(code, { code, message, object, cause }))

/** The body is wrong here. */
export const invalid = (name: string, description: string) =>
  new Refused(json(400, { status: 'error', errors: [{ location: 'body', name, description }] }))

const duplicate = () =>
  failure(409, 'A DNS Record already exists with same value', 'dns-record', 'Duplicate Entry')

/** One domain, with the checks that Gandi makes when it is changed. All methods throw Refused. */
export class GandiDomain {
  readonly name: string
  #rrsets = new Map<string, GandiRRset>()

  constructor(name: string) {
    this.name = name
  }

  /** Copies. Gandi's own SOA and NS are not listed. */
  get rrsets(): GandiRRset[] {
    return structuredClone([...this.#rrsets.values()])
  }

  /** Puts there what Gandi begins with. */
  addDefaults(): void {
    for (const [name, type, ...rrset_values] of DEFAULTS) this.put(name, type, { rrset_values })
  }

  get(name: string, type: string): GandiRRset {
    const found = this.#rrsets.get(`${name}/${type}`)
    if (found === undefined)
      throw failure(404, `Can't find the DNS record ${name}/${type} in the zone`, 'dns-record', 'Not Found')
    return structuredClone(found)
  }

  post(name: unknown, type: unknown, body: unknown): GandiRRset {
    const rrset = this.#judge(name, type, body)
    if (this.#rrsets.has(`${rrset.rrset_name}/${rrset.rrset_type}`)) throw duplicate()
    return this.#put(rrset)
  }

  /** Where the body has no TTL, it is the default, whatever it was. */
  put(name: string, type: string, body: unknown): GandiRRset {
    return this.#put(this.#judge(name, type, body))
  }

  /** The whole domain, or all sets of one name, is what the items say. */
  putItems(body: unknown, name?: string): void {
    const items = isBody(body) ? body['items'] : undefined
    if (!Array.isArray(items)) throw invalid('items', 'Required')
    const before = new Map(this.#rrsets)
    for (const [key, { rrset_name }] of before)
      if ((name ?? rrset_name) === rrset_name) this.#rrsets.delete(key)
    try {
      for (const item of items) {
        const { rrset_name, rrset_type } = isBody(item) ? item : {}
        this.post(name ?? rrset_name, rrset_type, item)
      }
    } catch (error) {
      this.#rrsets = before
      throw error
    }
  }

  /** One set, or all of the name; one that is not there is missed. */
  delete(name: string, type?: string): void {
    const gone = this.rrsets.filter(
      ({ rrset_name, rrset_type }) => rrset_name === name && (type ?? rrset_type) === rrset_type,
    )
    if (gone.length === 0) this.get(name, type ?? '')
    for (const { rrset_name, rrset_type } of gone) this.#rrsets.delete(`${rrset_name}/${rrset_type}`)
  }

  #judge(name: unknown, type: unknown, body: unknown): GandiRRset {
    if (!isBody(body)) throw invalid('', 'Invalid JSON object')
    if (typeof name !== 'string' || !NAME.test(name)) throw invalid('rrset_name', 'invalid name')
    if (typeof type !== 'string' || !TYPES.includes(type)) throw invalid('rrset_type', 'unknown type')
    if (name === '@' && type === 'NS')
      throw invalid('rrset_type', 'NS of the domain itself cannot be changed')
    if (name !== '@' && type === 'ALIAS') throw invalid('rrset_type', 'ALIAS is for the domain itself')
    const { rrset_ttl = DEFAULT_TTL, rrset_values } = body
    if (!Number.isInteger(rrset_ttl) || Number(rrset_ttl) < MIN_TTL || Number(rrset_ttl) > MAX_TTL)
      throw invalid('rrset_ttl', `${String(rrset_ttl)} is not between ${MIN_TTL} and ${MAX_TTL}`)
    if (!Array.isArray(rrset_values) || rrset_values.length === 0) throw invalid('rrset_values', 'Required')
    const values = rrset_values.map((value: unknown) => this.#valueOf(type, value))
    if (new Set(values).size < values.length) throw invalid('rrset_values', 'duplicate value')
    if (type === 'CNAME' && values.length > 1) throw invalid('rrset_values', 'a CNAME has one value')
    return { rrset_name: name, rrset_type: type, rrset_ttl: Number(rrset_ttl), rrset_values: values }
  }

  /** Text comes bare or in quotes, and is kept in quotes. Names without the final dot are kept so: relative. */
  #valueOf(type: string, value: unknown): string {
    if (typeof value !== 'string' || value === '') throw invalid('rrset_values', 'a value must be a text')
    if (type === 'TXT' && readQuoted(value) === null) return quoted(value)
    const known = readType(type)
    if (known !== null && typeOf(known).read(inZone(type, value, this.name)) === null)
      throw invalid('rrset_values', `'${value}': invalid value`)
    return value
  }

  #put(rrset: GandiRRset): GandiRRset {
    const { rrset_name: name, rrset_type: type } = rrset
    const others = [...this.#rrsets.values()].filter(
      (other) => other.rrset_name === name && other.rrset_type !== type,
    )
    if (others.some((other) => [type, other.rrset_type].includes('CNAME')))
      throw invalid('rrset_type', 'a CNAME cannot stand beside other records of its name')
    this.#rrsets.set(`${name}/${type}`, structuredClone(rrset))
    return rrset
  }
}

function quoted(text: string): string {
  const bytes = Buffer.from(text)
  const parts = Array.from({ length: Math.ceil(bytes.length / 255) }, (_, i) =>
    quoteBytes(bytes.subarray(i * 255, (i + 1) * 255)),
  )
  return parts.join(' ')
}
