import { randomUUID } from 'node:crypto'
import { readQuoted } from '../../../dns/text/text.ts'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json, type Body } from './answers.ts'
import { inZone, rdataOfText } from './rdata.ts'

export interface ScalewayRecord {
  id: string
  /** As a master file has it, that of MX with its priority. */
  data: string
  /** Relative to the zone, '' for the apex. */
  name: string
  /** Of MX; of others 0. */
  priority: number
  /** Seconds. */
  ttl: number
  type: string
  comment: string | null
  geo_ip_config?: unknown
  http_service_config?: unknown
  weighted_config?: unknown
  view_config?: unknown
}

export const TYPES =
  'A AAAA CNAME TXT SRV TLSA MX NS PTR CAA ALIAS LOC SSHFP HINFO RP URI DS NAPTR DNAME SVCB HTTPS'.split(' ')
/** By which the answers are made; at most one, and `data` where they say nothing. */
const DYNAMIC = ['geo_ip_config', 'http_service_config', 'weighted_config', 'view_config'] as const
export const NAME_SERVERS = ['ns0.dom.scw.cloud', 'ns1.dom.scw.cloud']
const LABELS = /^(\*|[a-z0-9_-]{1,63})(\.[a-z0-9_-]{1,63})*$/
const MIN_TTL = 60
const MAX_TTL = 2 ** 31 - 1
const DEFAULT_TTL = 3600

export const failure = (status: number, type: string, message: string, more: Body = {}) =>
  new Refused(json(status, { ...more, message, type }))
export const invalid = (argument_name: string, help_message: string) =>
  failure(400, 'invalid_arguments', 'invalid argument(s)', {
    details: [{ argument_name, help_message, reason: 'constraint' }],
  })
export const notFound = (resource: string, resource_id: string) =>
  failure(404, 'not_found', 'resource is not found', { resource, resource_id })

/** One zone, with the checks that Scaleway makes when it is changed. All methods throw Refused. */
export class ScalewayZone {
  readonly domain: string
  /** '' where the zone is the domain itself. */
  readonly subdomain: string
  readonly projectId: string
  updatedAt = new Date()
  status: 'active' | 'pending' | 'locked' | 'error' = 'active'
  /** How often it is asked in vain whether changes are in force. */
  unfinished = 1
  #records: ScalewayRecord[] = []

  constructor(domain: string, subdomain: string, projectId: string) {
    this.domain = domain
    this.subdomain = subdomain
    this.projectId = projectId
    for (const server of NAME_SERVERS) this.hold({ type: 'NS', name: '', data: `${server}.`, ttl: 1800 })
  }

  get name(): string {
    return this.subdomain === '' ? this.domain : `${this.subdomain}.${this.domain}`
  }

  /** Copies, by name. */
  get records(): ScalewayRecord[] {
    return structuredClone(this.#records).sort((a, b) => Number(a.name > b.name) - Number(a.name < b.name))
  }

  /** Puts a record there without any check. */
  hold(record: Pick<ScalewayRecord, 'type' | 'name' | 'data' | 'ttl'>): void {
    this.#records.push({ id: randomUUID(), priority: 0, comment: null, ...record })
  }

  /** All changes, in order, or none of them. Answers the records that were made. */
  patch(changes: unknown): ScalewayRecord[] {
    if (!Array.isArray(changes) || changes.length === 0) throw invalid('changes', 'must not be empty')
    if (this.status === 'locked') throw failure(409, 'transient_state', 'resource is in a transient state')
    const before = [...this.#records]
    try {
      const made = changes.flatMap((change: unknown) => this.#change(change))
      this.updatedAt = new Date()
      this.status = this.unfinished > 0 ? 'pending' : 'active'
      return structuredClone(made.map((record) => this.#records.find(({ id }) => id === record.id) ?? record))
    } catch (error) {
      this.#records = before
      throw error
    }
  }

  #change(change: unknown): ScalewayRecord[] {
    const [[kind, body] = [], ...more] = Object.entries(isBody(change) ? change : {})
    if (more.length > 0 || !isBody(body)) throw invalid('changes', 'must have one of add, set, delete, clear')
    if (kind === 'add') return this.#add(body['records'])
    if (kind === 'set') {
      this.#take(body, { mayMiss: body['id'] === undefined })
      return this.#add(body['records'])
    }
    if (kind === 'delete') this.#take(body, { mayMiss: false })
    else if (kind === 'clear') this.#records = []
    else throw invalid('changes', 'must have one of add, set, delete, clear')
    return []
  }

  #add(records: unknown): ScalewayRecord[] {
    if (!Array.isArray(records) || records.length === 0) throw invalid('records', 'must not be empty')
    return records.map((body: unknown) => this.#put(this.#judge(isBody(body) ? body : {})))
  }

  /** Takes away what the id, or all that the fields, mean. */
  #take({ id, id_fields }: Body, { mayMiss }: { mayMiss: boolean }): void {
    if ((id === undefined) === (id_fields === undefined)) throw invalid('id', 'one of id and id_fields')
    const { name, type, data, ttl } = isBody(id_fields) ? id_fields : {}
    const isMeant = (record: ScalewayRecord) =>
      id === undefined
        ? record.name === this.#relative(name) &&
          record.type === type &&
          (data === undefined || data === null || this.#dataOf(record.type, data) === record.data) &&
          (ttl ?? record.ttl) === record.ttl
        : record.id === id
    const left = this.#records.filter((record) => !isMeant(record))
    if (left.length === this.#records.length && !mayMiss)
      throw notFound('record', typeof id === 'string' ? id : JSON.stringify(id_fields))
    this.#records = left
  }

  #judge(body: Body): ScalewayRecord {
    const { type, priority = 0, ttl = DEFAULT_TTL, comment = null } = body
    if (typeof type !== 'string' || !TYPES.includes(type)) throw invalid('type', 'is not a record type')
    const name = this.#relative(body['name'])
    if (!Number.isInteger(ttl) || Number(ttl) < MIN_TTL || Number(ttl) > MAX_TTL)
      throw invalid('ttl', `must be between ${MIN_TTL} and ${MAX_TTL}`)
    if (!Number.isInteger(priority) || Number(priority) < 0 || Number(priority) > 65_535)
      throw invalid('priority', 'must be between 0 and 65535')
    if (comment !== null && typeof comment !== 'string') throw invalid('comment', 'must be a text')
    const data = this.#dataOf(type, body['data'], Number(priority))
    const dynamic = DYNAMIC.filter((field) => (body[field] ?? null) !== null)
    if (dynamic.length > 1) throw invalid('dynamic_data', 'at most one')
    return {
      id: randomUUID(),
      data,
      name,
      priority: type === 'MX' ? Number(data.split(' ')[0]) : 0,
      ttl: Number(ttl),
      type,
      comment: comment === '' ? null : comment,
      ...Object.fromEntries(dynamic.map((field) => [field, structuredClone(body[field])])),
    }
  }

  /** Text comes bare or in quotes; MX with its priority or without. Names without the final dot are below the zone. */
  #dataOf(type: string, data: unknown, priority = 0): string {
    if (typeof data !== 'string' || data === '') throw invalid('data', 'must not be empty')
    if (type === 'TXT') return readQuoted(data) === null ? rdataOfText(data) : data
    const whole = type === 'MX' && !/^\d+ /.test(data) ? `${priority} ${data}` : data
    const known = readType(type)
    const absolute = inZone(type, whole, this.name)
    if (known !== null && typeOf(known).read(absolute) === null)
      throw invalid('data', `'${data}' is not valid for ${type}`)
    return absolute
  }

  #relative(name: unknown): string {
    if (typeof name !== 'string') throw invalid('name', 'is required')
    const relative = name === '@' ? '' : name.toLowerCase()
    if (relative !== '' && !LABELS.test(relative)) throw invalid('name', `'${name}' is not valid`)
    return relative
  }

  /** A set has one TTL: that of the last who said one. */
  #put(record: ScalewayRecord): ScalewayRecord {
    const others = this.#records.filter(({ name }) => name === record.name)
    const isAlone = ({ type }: ScalewayRecord) => type === 'CNAME'
    if (isAlone(record) && (record.name === '' || others.length > 0))
      throw invalid('name', 'a CNAME cannot stand beside other records')
    if (others.some(isAlone)) throw invalid('name', 'a CNAME is there')
    const set = others.filter(({ type }) => type === record.type)
    if (set.some(({ data }) => data === record.data)) throw invalid('data', 'record already exists')
    if (set.some(({ ttl }) => ttl !== record.ttl))
      this.#records = this.#records.map((each) => (set.includes(each) ? { ...each, ttl: record.ttl } : each))
    this.#records.push(record)
    return record
  }
}
