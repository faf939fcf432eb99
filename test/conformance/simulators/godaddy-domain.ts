import { isIPv4, isIPv6 } from 'node:net'
import { Refused, isBody, json } from './answers.ts'

export interface GoDaddyRecord {
  type: string
  /** Relative to the domain, `@` for the apex; of SRV without service and protocol. */
  name: string
  /** Names without the final dot; `@` for the domain itself. */
  data: string
  /** Seconds. */
  ttl: number
  priority?: number
  weight?: number
  port?: number
  /** Such as `_sip`. */
  service?: string
  /** Such as `_tcp`. */
  protocol?: string
}

/** Those that may be sent. CAA is listed and refused (dns-lexicon #545). */
export const TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT']
const LABELS = /^(\*|[a-z0-9_-]{1,63})(\.[a-z0-9_-]{1,63})*$/i
const MIN_TTL = 600
const MAX_TTL = 604_800
const MAX_TEXT = 1024
const NAME_SERVERS = ['ns09.domaincontrol.com', 'ns10.domaincontrol.com']

export const failure = (status: number, code: string, message: string, more: object = {}) =>
  new Refused(json(status, { code, message, ...more }))

export const notFound = (message = 'The record was not found') => failure(404, 'NOT_FOUND', message)

export const invalid = (path: string, message: string, code = 'INVALID') =>
  failure(422, 'INVALID_BODY', "Request body doesn't fulfill schema, see details in `fields`", {
    fields: [{ code, message, path }],
  })

const duplicate = () =>
  failure(422, 'DUPLICATE_RECORD', 'Another record with the same attributes already exists')

/** One domain, with the checks that GoDaddy makes when it is changed: whole or not at all. All methods throw Refused. */
export class GoDaddyDomain {
  readonly name: string
  readonly id: number
  readonly createdAt = new Date().toISOString()
  #records: GoDaddyRecord[]

  constructor(name: string, id: number) {
    this.name = name
    this.id = id
    this.#records = NAME_SERVERS.map((data) => ({ type: 'NS', name: '@', data, ttl: 3600 }))
  }

  /** Copies. */
  get records(): GoDaddyRecord[] {
    return structuredClone(this.#records)
  }

  get nameServers(): string[] {
    return NAME_SERVERS
  }

  /** Puts there what can't be sent, such as CAA. */
  plant(record: GoDaddyRecord): void {
    this.#records.push(record)
  }

  /** Adds to what is there. */
  patch(body: unknown): void {
    this.#write([...this.#records], this.#readAll(body))
  }

  /** Of the type, or of the type and the name, there is what the body says and nothing else. */
  put(body: unknown, type?: string, name?: string): void {
    const stays = (record: GoDaddyRecord) =>
      isOwn(record) || record.type !== (type ?? record.type) || record.name !== (name ?? record.name)
    this.#write(this.#records.filter(stays), this.#readAll(body, type, name))
  }

  delete(type: string, name: string): void {
    const left = this.#records.filter((record) => record.type !== type || record.name !== name)
    if (left.length === this.#records.length) throw notFound()
    if (this.#records.some((record) => isOwn(record) && !left.includes(record)))
      throw invalid('name', 'NS of the domain itself cannot be changed')
    this.#records = left
  }

  #readAll(body: unknown, type?: string, name?: string): GoDaddyRecord[] {
    if (!Array.isArray(body)) throw invalid('records', 'is not a array', 'UNEXPECTED_TYPE')
    if (body.length === 0) throw invalid('records', 'has too few items')
    return body.map((item: unknown, i) => readRecord(item, `records[${i}]`, type, name))
  }

  #write(kept: GoDaddyRecord[], added: GoDaddyRecord[]): void {
    const all = [...kept]
    for (const record of added) {
      const others = all.filter((other) => ownerOf(other) === ownerOf(record))
      if (others.some(({ type }) => type === 'CNAME') || (record.type === 'CNAME' && others.length > 0))
        throw duplicate()
      if (all.some((other) => keyOf(other) === keyOf(record))) throw duplicate()
      all.push(record)
    }
    this.#records = all
  }
}

const isOwn = ({ type, name }: GoDaddyRecord) => type === 'NS' && name === '@'
/** Relative to the domain, with the service and the protocol of an SRV. */
export const ownerOf = ({ type, name, service, protocol }: GoDaddyRecord): string =>
  type === 'SRV' ? [service, protocol, ...(name === '@' ? [] : [name])].join('.') : name
const keyOf = (record: GoDaddyRecord) =>
  [record.type, ownerOf(record), record.priority, record.weight, record.port, record.data].join(' ')

/** Of the place at `path` in the body; type and name may be said by the address instead. */
function readRecord(item: unknown, path: string, ofType?: string, ofName?: string): GoDaddyRecord {
  if (!isBody(item)) throw invalid(path, 'is not a object', 'UNEXPECTED_TYPE')
  const { type = ofType, name = ofName, ttl = 3600, data } = item
  if (typeof type !== 'string' || !TYPES.includes(type) || type !== (ofType ?? type))
    throw invalid(`${path}.type`, `is not one of ${TYPES.join(', ')}`)
  if (typeof name !== 'string' || (name !== '@' && !LABELS.test(name)) || name !== (ofName ?? name))
    throw invalid(`${path}.name`, 'is not a valid name')
  if (type === 'NS' && name === '@')
    throw invalid(`${path}.name`, 'NS of the domain itself cannot be changed')
  if (!Number.isInteger(ttl) || Number(ttl) < MIN_TTL || Number(ttl) > MAX_TTL)
    throw invalid(`${path}.ttl`, `is not between ${MIN_TTL} and ${MAX_TTL}`)
  if (typeof data !== 'string' || !isData(type, data)) throw invalid(`${path}.data`, 'is invalid')
  const numberOf = (field: 'priority' | 'weight' | 'port', least = 0) => {
    const value = item[field]
    if (!Number.isInteger(value) || Number(value) < least || Number(value) > 65_535)
      throw invalid(`${path}.${field}`, 'is invalid')
    return Number(value)
  }
  const labelOf = (field: 'service' | 'protocol') => {
    const value = item[field]
    if (typeof value !== 'string' || !/^_[a-z0-9-]+$/i.test(value))
      throw invalid(`${path}.${field}`, 'is invalid')
    return value
  }
  return {
    type,
    name: name.toLowerCase(),
    data,
    ttl: Number(ttl),
    ...((type === 'MX' || type === 'SRV') && { priority: numberOf('priority') }),
    ...(type === 'SRV' && {
      weight: numberOf('weight'),
      port: numberOf('port', 1),
      service: labelOf('service'),
      protocol: labelOf('protocol'),
    }),
  }
}

function isData(type: string, data: string): boolean {
  if (type === 'A') return isIPv4(data)
  if (type === 'AAAA') return isIPv6(data)
  if (type === 'TXT') return data !== '' && data.length <= MAX_TEXT
  return data === '@' || LABELS.test(data)
}
