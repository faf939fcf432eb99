import { randomInt, randomUUID } from 'node:crypto'
import { isBody, type Body } from './answers.ts'
import { badRequest, bare, checkConditions } from './azure-answers.ts'
import { FORMS, meaningOf, recordsOf } from './azure-records.ts'

export interface AzureSet {
  /** Relative, `@` for the apex. */
  name: string
  type: string
  etag: string
  properties: Body
}

type Headers = NodeJS.Dict<string | string[]>

const MAX_TTL = 2 ** 31 - 1
const MAX_RECORDS = 20
const MAX_TEXT = 4096
const RELATIVE = /^(@|(\*|[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*)$/i
const HOST = /^([a-z0-9_*-]{1,63}\.)*[a-z0-9_*-]{1,63}\.?$/i
const ALIASES = new Set(['A', 'AAAA', 'CNAME'])
/** Those of a record that are names. */
const NAMES = ['cname', 'exchange', 'nsdname', 'ptrdname', 'target']

/** One zone, with the checks that Azure makes when it is changed. All methods throw Refused. */
export class AzureZone {
  readonly name: string
  readonly nameServers: string[]
  etag: string = randomUUID()
  tags: Body = {}
  isSigned = false
  #sets = new Map<string, AzureSet>()
  #sorted: readonly AzureSet[] | null = null

  constructor(name: string) {
    this.name = name
    const pool = String(randomInt(1, 10)).padStart(2, '0')
    this.nameServers = ['com', 'net', 'org', 'info'].map((end, i) => `ns${i + 1}-${pool}.azure-dns.${end}.`)
    const soa = {
      host: this.nameServers[0],
      email: 'azuredns-hostmaster.microsoft.com',
      serialNumber: 1,
      refreshTime: 3600,
      retryTime: 300,
      expireTime: 2_419_200,
      minimumTTL: 300,
    }
    const servers = this.nameServers.map((nsdname) => ({ nsdname }))
    this.#sets.set('NS @', this.#made('@', 'NS', { TTL: 172_800, NSRecords: servers }))
    this.#sets.set('SOA @', this.#made('@', 'SOA', { TTL: 3600, SOARecord: soa }))
  }

  get size(): number {
    return this.#sets.size
  }

  /** Copies. */
  get sets(): AzureSet[] {
    return structuredClone([...this.list()])
  }

  /** By name and type, not copied. */
  list(): readonly AzureSet[] {
    const orderOf = ({ name, type }: AzureSet) => `${name.toLowerCase()} ${type}`
    this.#sorted ??= [...this.#sets.values()].sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
    return this.#sorted
  }

  get(type: string, name: string): AzureSet | undefined {
    return structuredClone(this.#sets.get(keyOf(type, name)))
  }

  /** The whole set; what the body doesn't say is lost. `isNew`: there was none. */
  put(type: string, name: string, body: unknown, headers: Headers = {}): { set: AzureSet; isNew: boolean } {
    const held = this.#sets.get(keyOf(type, name))
    checkConditions(headers, held?.etag)
    const properties = isBody(body) && isBody(body['properties']) ? body['properties'] : {}
    const set = this.#made(held?.name ?? name, type, this.#judge(type, name, properties))
    this.#sets.set(keyOf(type, name), set)
    this.#sorted = null
    return { set: structuredClone(set), isNew: held === undefined }
  }

  /** What the body doesn't say stays. Undefined: there is none. */
  patch(type: string, name: string, body: unknown, headers: Headers = {}): AzureSet | undefined {
    const held = this.get(type, name)
    if (held === undefined) return undefined
    const more = isBody(body) && isBody(body['properties']) ? body['properties'] : {}
    return this.put(type, name, { properties: { ...held.properties, ...more } }, headers).set
  }

  /** Whether it was there. */
  delete(type: string, name: string, headers: Headers = {}): boolean {
    const held = this.#sets.get(keyOf(type, name))
    checkConditions(headers, held?.etag)
    if (name === '@' && (type === 'SOA' || type === 'NS'))
      throw badRequest(`The ${type} record set at the zone apex can't be deleted.`)
    this.#sorted = null
    return this.#sets.delete(keyOf(type, name))
  }

  #judge(type: string, name: string, given: Body): Body {
    if (!RELATIVE.test(name)) throw badRequest(`The record set name '${name}' is invalid.`)
    const { TTL: ttl, metadata, targetResource } = given
    if (!Number.isInteger(ttl) || Number(ttl) < 1 || Number(ttl) > MAX_TTL)
      throw badRequest(`The TTL value '${String(ttl)}' is invalid. It must be between 1 and ${MAX_TTL}.`)
    const { property = '', single } = FORMS[type] ?? {}
    const others = new Set(Object.values(FORMS).map((form) => form.property))
    const strange = Object.keys(given).find((key) => key !== property && others.has(key))
    if (strange !== undefined) throw badRequest(`The property '${strange}' is not of a set of type ${type}.`)
    const records = recordsOf(type, given)
    const isAlias = isBody(targetResource) && typeof targetResource['id'] === 'string'
    if (isAlias && (records.length > 0 || !ALIASES.has(type)))
      throw badRequest('The record set has records, or a type, that an alias must not have.')
    if (records.length > MAX_RECORDS)
      throw badRequest(`The record set exceeds the limit of ${MAX_RECORDS} records.`)
    const values = records.map((record) => checkedValue(type, record))
    if (new Set(values).size < values.length) throw badRequest('The record set has a record twice.')
    if (name === '@') this.#checkApex(type, records)
    this.#checkAlone(type, name)
    // A set may be without records.
    return {
      ...(isBody(metadata) && { metadata }),
      TTL: ttl,
      ...(!isAlias && { [property]: single ? records[0] : records }),
      targetResource: isAlias ? { id: targetResource['id'] } : {},
    }
  }

  /** The zone's own servers stay. */
  #checkApex(type: string, records: Body[]): void {
    if (type === 'CNAME') throw badRequest('A CNAME record set is not allowed at the zone apex.')
    const servers = new Set(records.map(({ nsdname }) => String(nsdname).toLowerCase().replace(/\.?$/, '.')))
    if (type === 'NS' && !this.nameServers.every((own) => servers.has(own)))
      throw badRequest("The zone's own name servers can't be removed from the NS record set at the apex.")
    if (type === 'SOA' && records[0]?.['host'] !== this.nameServers[0])
      throw badRequest("The host of the SOA record can't be changed.")
  }

  #checkAlone(type: string, name: string): void {
    const others = [...this.#sets.values()].filter(
      (set) => set.name.toLowerCase() === name.toLowerCase() && set.type !== type,
    )
    if (others.some((other) => other.type === 'CNAME')) {
      const reason =
        'The record could not be created because a CNAME record with the same name already exists in this zone.'
      throw bare(409, 'Conflict', reason)
    }
    if (type === 'CNAME' && others.length > 0)
      throw bare(
        409,
        'Conflict',
        'The CNAME record could not be created because a record with the same name already exists in this zone.',
      )
  }

  #made(name: string, type: string, properties: Body): AzureSet {
    const fqdn = name === '@' ? `${this.name}.` : `${name}.${this.name}.`
    const own = { fqdn, provisioningState: 'Succeeded' }
    return structuredClone({ name, type, etag: randomUUID(), properties: { ...properties, ...own } })
  }
}

const keyOf = (type: string, name: string) => `${type} ${name.toLowerCase()}`

/** The value of a record that is one of the type. */
function checkedValue(type: string, record: Body): string {
  for (const field of NAMES) {
    const name = record[field]
    const isNone = name === undefined || (name === '.' && field === 'target')
    if (!isNone && !(typeof name === 'string' && HOST.test(name)))
      throw badRequest(`The domain name '${JSON.stringify(name)}' is invalid.`)
  }
  if (type === 'SOA') return ''
  if (type === 'TXT') {
    const strings = Array.isArray(record['value']) ? record['value'].map(String) : []
    const whole = strings.join('')
    // Stricter than is known: nobody says what becomes of others.
    if (/[^ -~]/.test(whole)) throw badRequest(`The value '${whole}' has characters that are not ASCII.`)
    if (whole === '' || whole.length > MAX_TEXT || strings.some(({ length }) => length > 255))
      throw badRequest(`The value '${whole}' is not valid for the TXT record.`)
  }
  const value = meaningOf(type, record)
  if (value === null)
    throw badRequest(`The value '${JSON.stringify(record)}' is not valid for the ${type} record.`)
  return value
}
