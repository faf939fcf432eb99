import { randomInt, randomUUID } from 'node:crypto'
import { Refused, isBody, json, type Body } from './answers.ts'
import { FORMS, meaningOf, recordsOf } from './azure-records.ts'
import { MAX_TTL, isInteger } from './checks.ts'
import { RRsetZone } from './rrset-zone.ts'
import type { SimulatorAnswer, SimulatorRequest } from './server.ts'

export interface AzureSet {
  /** Relative, `@` for the apex. */
  name: string
  type: string
  etag: string
  properties: Body
}

type Headers = SimulatorRequest['headers']

export const GROUP = 'dns-group'
export const SUBSCRIPTION = randomUUID()
const MAX_RECORDS = 20
const MAX_TEXT = 4096
const RELATIVE = /^(@|(\*|[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*)$/i
const HOST = /^([a-z0-9_*-]{1,63}\.)*[a-z0-9_*-]{1,63}\.?$/i
const ALIASES = new Set(['A', 'AAAA', 'CNAME'])
/** Fields of records that are names. */
const NAMES = ['cname', 'exchange', 'nsdname', 'ptrdname', 'target']

const headersOf = (more: Record<string, string> = {}) => ({ 'x-ms-request-id': randomUUID(), ...more })
export const answer = (
  status: number,
  value: unknown,
  headers: Record<string, string> = {},
): SimulatorAnswer =>
  json(status, value, headersOf({ 'content-type': 'application/json; charset=utf-8', ...headers }))
export const empty = (status: number, headers: Record<string, string> = {}): SimulatorAnswer => ({
  status,
  headers: headersOf(headers),
})

/** As what stands before all of Azure's services says it. */
export const refusal = (
  status: number,
  code: string,
  message: string,
  headers: Record<string, string> = {},
) => new Refused(answer(status, { error: { code, message } }, headers))
/** As its DNS says it, without the `error` around. */
export const bare = (status: number, code: string, message: string) =>
  new Refused(answer(status, { code, message }))
export const badRequest = (message: string) => bare(400, 'BadRequest', message)
const conflict = (what: string, other: string) => {
  const reason = `because a ${other} with the same name already exists in this zone.`
  return bare(409, 'Conflict', `The ${what} could not be created ${reason}`)
}
export const notFound = (code: string, message: string) => refusal(404, code, message)
/** What `If-Match` and `If-None-Match` say of the tag; undefined: there is nothing yet. Throws Refused. */
export function checkConditions(headers: Headers, tag: string | undefined): void {
  const isMet = (value: unknown) =>
    tag !== undefined && (value === '*' || value === tag || value === `"${tag}"`)
  for (const [header, wanted] of [
    ['If-Match', true],
    ['If-None-Match', false],
  ] as const) {
    const value = headers[header.toLowerCase()]
    if (value !== undefined && isMet(value) !== wanted)
      throw bare(
        412,
        'PreconditionFailed',
        `The condition '${String(value)}' in the ${header} header was not satisfied. The current was '${tag ?? 'n/a'}'.`,
      )
  }
}

const RULES = {
  name: 'name',
  type: 'type',
  missing: (name: string) =>
    bare(
      404,
      'NotFound',
      `The resource record '${name}' does not exist in resource group '${GROUP}' of subscription '${SUBSCRIPTION}'.`,
    ),
  clash: (_: AzureSet, others: AzureSet[]) =>
    others.some(({ type }) => type === 'CNAME')
      ? conflict('record', 'CNAME record')
      : conflict('CNAME record', 'record'),
} as const

const ofZone = (zone: string, name: string, type: string, properties: Body): AzureSet => {
  const fqdn = name === '@' ? `${zone}.` : `${name}.${zone}.`
  return {
    name,
    type,
    etag: randomUUID(),
    properties: { ...properties, fqdn, provisioningState: 'Succeeded' },
  }
}

/** One zone, with the checks that Azure makes when it is changed. */
export class AzureZone extends RRsetZone<AzureSet> {
  readonly nameServers: string[]
  etag: string = randomUUID()
  tags: Body = {}
  isSigned = false

  constructor(name: string) {
    const pool = String(randomInt(1, 10)).padStart(2, '0')
    const nameServers = ['com', 'net', 'org', 'info'].map((end, i) => `ns${i + 1}-${pool}.azure-dns.${end}.`)
    const times = {
      serialNumber: 1,
      refreshTime: 3600,
      retryTime: 300,
      expireTime: 2_419_200,
      minimumTTL: 300,
    }
    const SOARecord = { host: nameServers[0], email: 'azuredns-hostmaster.microsoft.com', ...times }
    super(name, RULES, [
      ofZone(name, '@', 'NS', { TTL: 172_800, NSRecords: nameServers.map((nsdname) => ({ nsdname })) }),
      ofZone(name, '@', 'SOA', { TTL: 3600, SOARecord }),
    ])
    this.nameServers = nameServers
  }

  get size(): number {
    return this.held.length
  }

  /** The whole RRset: what the body doesn't say is lost. */
  write(type: string, name: string, body: unknown, headers: Headers = {}): AzureSet {
    const held = this.read(name, type)
    checkConditions(headers, held?.etag)
    const properties = isBody(body) && isBody(body['properties']) ? body['properties'] : {}
    return this.put(ofZone(this.name, held?.name ?? name, type, this.#judge(type, name, properties)))
  }

  /** What the body doesn't say stays. */
  patch(type: string, name: string, body: unknown, headers: Headers): AzureSet {
    const { properties } = this.get(name, type)
    const more = isBody(body) && isBody(body['properties']) ? body['properties'] : {}
    return this.write(type, name, { properties: { ...properties, ...more } }, headers)
  }

  /** Whether it was there. */
  remove(type: string, name: string, headers: Headers): boolean {
    checkConditions(headers, this.read(name, type)?.etag)
    if (name === '@' && (type === 'SOA' || type === 'NS'))
      throw badRequest(`The ${type} record set at the zone apex can't be deleted.`)
    return this.delete(name, type)
  }

  #judge(type: string, name: string, given: Body): Body {
    if (!RELATIVE.test(name)) throw badRequest(`The record set name '${name}' is invalid.`)
    const { TTL, metadata, targetResource } = given
    if (!isInteger(TTL, 1, MAX_TTL))
      throw badRequest(`The TTL value '${String(TTL)}' is invalid. It must be between 1 and ${MAX_TTL}.`)
    const { property = '', single } = FORMS[type] ?? {}
    const others = Object.values(FORMS).map((form) => form.property)
    const strange = others.find((key) => key !== property && key in given)
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
    // An RRset may be without records.
    return {
      ...(isBody(metadata) && { metadata }),
      TTL,
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
}

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
