import { Refused, isBody, json } from './answers.ts'
import { hexKey, isAddress, isInteger, isTarget } from './checks.ts'
import { defineDialect, type NewRecord } from './dialect.ts'
import { joinData, splitData } from './rdata.ts'
import type { SimulatorAnswer } from './server.ts'

interface GoDaddyRecord {
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
const TYPES = new Set(['A', 'AAAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT'])
const MIN_TTL = 600
const MAX_TTL = 604_800
const MAX_TEXT = 1024
const NAME_SERVERS = ['ns09.domaincontrol.com', 'ns10.domaincontrol.com']

const failure = (status: number, code: string, message: string, more: object = {}) =>
  new Refused(json(status, { code, message, ...more }))

const notFound = (message = 'The record was not found') => failure(404, 'NOT_FOUND', message)

const invalid = (path: string, message: string, code = 'INVALID') =>
  failure(422, 'INVALID_BODY', "Request body doesn't fulfill schema, see details in `fields`", {
    fields: [{ code, message, path }],
  })

const duplicate = () =>
  failure(422, 'DUPLICATE_RECORD', 'Another record with the same attributes already exists')

let ids = 261_238_996
const SHOWN = {
  expirationProtected: false,
  expires: '2030-02-02T14:26:44.000Z',
  exposeWhois: false,
  holdRegistrar: false,
  locked: true,
  privacy: false,
  renewAuto: true,
  renewable: true,
  status: 'ACTIVE',
  transferProtected: false,
}

/** One domain, with the checks that GoDaddy makes when it is changed: whole or not at all. All methods throw Refused. */
class GoDaddyDomain {
  readonly name: string
  readonly shown: object
  #records: GoDaddyRecord[]

  constructor(name: string) {
    this.name = name
    const createdAt = new Date().toISOString()
    this.shown = { createdAt, domain: name, domainId: ++ids, ...SHOWN, nameServers: NAME_SERVERS }
    this.#records = NAME_SERVERS.map((data) => ({ type: 'NS', name: '@', data, ttl: 3600 }))
  }

  /** Copies. */
  get records(): GoDaddyRecord[] {
    return structuredClone(this.#records)
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
const ownerOf = ({ type, name, service, protocol }: GoDaddyRecord): string =>
  type === 'SRV' ? [service, protocol, ...(name === '@' ? [] : [name])].join('.') : name
const keyOf = (record: GoDaddyRecord) =>
  [record.type, ownerOf(record), record.priority, record.weight, record.port, record.data].join(' ')

/** Of the place at `path` in the body; type and name may be said by the address instead. */
function readRecord(item: unknown, path: string, ofType?: string, ofName?: string): GoDaddyRecord {
  if (!isBody(item)) throw invalid(path, 'is not a object', 'UNEXPECTED_TYPE')
  const { type = ofType, name = ofName, ttl = 3600, data } = item
  if (typeof type !== 'string' || !TYPES.has(type) || type !== (ofType ?? type))
    throw invalid(`${path}.type`, `is not one of ${[...TYPES].join(', ')}`)
  if (typeof name !== 'string' || (name !== '@' && !isTarget(name)) || name !== (ofName ?? name))
    throw invalid(`${path}.name`, 'is not a valid name')
  if (type === 'NS' && name === '@')
    throw invalid(`${path}.name`, 'NS of the domain itself cannot be changed')
  if (!isInteger(ttl, MIN_TTL, MAX_TTL))
    throw invalid(`${path}.ttl`, `is not between ${MIN_TTL} and ${MAX_TTL}`)
  if (typeof data !== 'string' || !isGood(type, data)) throw invalid(`${path}.data`, 'is invalid')
  const numberOf = (field: 'priority' | 'weight' | 'port', least = 0) => {
    const value = item[field]
    if (!isInteger(value, least, 65_535)) throw invalid(`${path}.${field}`, 'is invalid')
    return value
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
    ttl,
    ...((type === 'MX' || type === 'SRV') && { priority: numberOf('priority') }),
    ...(type === 'SRV' && {
      weight: numberOf('weight'),
      port: numberOf('port', 1),
      service: labelOf('service'),
      protocol: labelOf('protocol'),
    }),
  }
}

function isGood(type: string, data: string): boolean {
  if (type === 'A' || type === 'AAAA') return isAddress(type, data)
  if (type === 'TXT') return data !== '' && data.length <= MAX_TEXT
  return data === '@' || isTarget(data)
}

const DOMAINS = { size: 100, most: 1000 }
const RECORDS = { size: 500, most: 500 }

const unauthorized = failure(
  401,
  'UNABLE_TO_AUTHENTICATE',
  'Unauthorized : Could not authenticate API key/secret',
)
const denied = failure(403, 'ACCESS_DENIED', 'Authenticated user is not allowed access')
const tooMany = (more: object = {}) =>
  failure(429, 'TOO_MANY_REQUESTS', 'Too many requests received within interval', more)

function readNumber(query: URLSearchParams, field: string, { size, most }: { size: number; most: number }) {
  const value = Number(query.get(field) ?? size)
  if (!isInteger(value, 1, most))
    throw failure(422, 'INVALID_QUERY', `${field} must be between 1 and ${most}`, {
      fields: [{ code: 'INVALID', message: `is not between 1 and ${most}`, path: field }],
    })
  return value
}

/** `offset` counts pages, from 1 (terraform-provider-godaddy #44); a page behind the last is empty. */
function page(
  query: URLSearchParams,
  { records }: GoDaddyDomain,
  type?: string,
  name?: string,
): SimulatorAnswer {
  const all = records.filter(
    (record) => record.type === (type ?? record.type) && record.name === (name ?? record.name),
  )
  const limit = readNumber(query, 'limit', RECORDS)
  const offset = readNumber(query, 'offset', { size: 1, most: Infinity })
  return json(200, all.slice((offset - 1) * limit, offset * limit))
}

/** What stands before the name of an SRV has fields of its own. */
function bodyOf({ name, type, value, ttl }: NewRecord): object {
  const [service, protocol, ...rest] = name.split('.')
  const place = type === 'SRV' ? { service, protocol, name: rest.join('.') || '@' } : { name }
  return { type, ...place, ...splitData(type, value), ttl }
}

/** GoDaddy's API v1. Of the real one 60 calls are taken in a minute. A domain is bought and given up there, not made. */
export default defineDialect({
  keys: () => ({ key: `key_${hexKey(8)}`, secret: hexKey(11), deniedKey: `key_${hexKey(8)}` }),
  newZone: (name) => new GoDaddyDomain(name),
  headers: ({ key, secret }) => ({ authorization: `sso-key ${key}:${secret}` }),
  authenticate: ({ headers: { authorization } }, { key, secret, deniedKey }) => {
    // Of an account with too few domains.
    if (authorization === `sso-key ${deniedKey}:${secret}`) throw denied
    if (authorization !== `sso-key ${key}:${secret}`) throw unauthorized
  },
  // How long to wait stands in the body alone.
  limits: [{ option: 'rate', seconds: 60, refuse: (retryAfterSec) => tooMany({ retryAfterSec }) }],
  routes: {
    // `marker`: the last name of the page before.
    'GET /v1/domains': ({ query, zones }) => {
      const limit = readNumber(query, 'limit', DOMAINS)
      const [marker, statuses] = [query.get('marker') ?? '', query.get('statuses')]
      const isWanted = statuses === null || statuses.split(',').includes('ACTIVE')
      const found = zones.filter(({ name }) => isWanted && name > marker)
      const sorted = found.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, limit)
      return json(
        200,
        sorted.map(({ shown }) => shown),
      )
    },
    'GET /v1/domains/:zone': ({ zone }) => json(200, zone.shown),
    'GET /v1/domains/:zone/records': ({ zone, query }) => page(query, zone),
    'GET /v1/domains/:zone/records/:type': ({ zone, query, params: { type } }) => page(query, zone, type),
    'GET /v1/domains/:zone/records/:type/:name': ({ zone, query, params: { type, name } }) =>
      page(query, zone, type, name),
    'PATCH /v1/domains/:zone/records': ({ zone, body }) => {
      zone.patch(body)
      return { status: 200 }
    },
    'PUT /v1/domains/:zone/records': ({ zone, body }) => {
      zone.put(body)
      return { status: 200 }
    },
    'PUT /v1/domains/:zone/records/:type': ({ zone, body, params: { type } }) => {
      zone.put(body, type)
      return { status: 200 }
    },
    'PUT /v1/domains/:zone/records/:type/:name': ({ zone, body, params: { type, name } }) => {
      zone.put(body, type, name)
      return { status: 200 }
    },
    'DELETE /v1/domains/:zone/records/:type/:name': ({ zone, params: { type = '', name = '' } }) => {
      zone.delete(type, name)
      return { status: 204 }
    },
  },
  errors: {
    noRoute: notFound('The resource was not found'),
    noZone: ({ params: { zone } }) => notFound(`Domain ${zone} not found for shopper`),
    notAllowed: failure(405, 'METHOD_NOT_ALLOWED', 'The method is not allowed'),
    badJson: failure(400, 'MALFORMED_BODY', 'Request body is not valid JSON'),
  },
  suite: {
    credentials: ({ key, secret }) => ({ apiKey: key, apiSecret: secret }),
    secret: 'apiSecret',
    wrong: 'a-wrong-secret-7f3a',
    seed: (domain, records) => {
      if (records.length > 0) domain.patch(records.map(bodyOf))
    },
    held: (domain) =>
      domain.records
        .filter((record) => record.type !== 'CAA' && !isOwn(record))
        .map((record) => ({
          ...record,
          name: ownerOf(record),
          rdata: joinData(record.type, record, domain.name),
        })),
    foreign: (domain) => {
      domain.patch([{ type: 'A', name: 'foreign', data: '192.0.2.1', ttl: 3600 }])
      // Made at GoDaddy's own pages.
      domain.plant({ type: 'CAA', name: '@', data: '0 issue "ca.example.net"', ttl: 3600 })
      return () => domain.records.map((record) => JSON.stringify(record)).sort()
    },
    faults: {
      unauthorized,
      forbidden: denied,
      // Without the time in its body, which counts where the header is missing.
      rateLimited: tooMany(),
      failure: failure(500, 'INTERNAL_SERVER_ERROR', 'Internal Server Error'),
      refused: (reason) => invalid('records[0].data', reason),
    },
  },
})
