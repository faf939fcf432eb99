import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { bytesOfText } from '../../../dns/text/text.ts'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json, textOf, type Body } from './answers.ts'
import { MAX_TTL, hexKey, isData, isInteger, isLabels } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import { atAsEmpty, emptyAsAt, inZone, rdataOfEither } from './rdata.ts'
import { RecordZone } from './record-zone.ts'
import type { SimulatorAnswer, SimulatorRequest } from './server.ts'

interface OvhRecord {
  id: number
  zone: string
  /** '' for the apex. */
  subDomain: string
  fieldType: string
  /** As it was sent: also texts, and names without the final dot, which are relative. */
  target: string
  /** Seconds; 0: the zone's default. */
  ttl: number
}

/** Of the service behind the gateway. */
const failure = (status: number, name: string, message: string) =>
  new Refused(answer(status, { class: `Client::${name}`, message }))

/** Every answer has a number by which support finds it. */
const answer = (status: number, value: unknown, headers: Record<string, string> = {}) =>
  json(status, value, {
    'x-ovh-queryid': `EU.ext-1.${hexKey(4)}.9.1`,
    ...headers,
  })

/** Of texts with a meaning of their own, which are TXT in the DNS. */
const TEXTS = new Set(['DKIM', 'DMARC', 'SPF', 'TXT'])
const TYPES = new Set([
  ...'A AAAA CAA CNAME DNAME HTTPS LOC MX NAPTR NS PTR RP SRV SSHFP SVCB TLSA'.split(' '),
  ...TEXTS,
])
const MIN_TTL = 60

let ids = 5_153_644_690

const RULES = {
  id: 'id',
  name: 'subDomain',
  type: 'fieldType',
  missing: (id: string) => failure(404, 'NotFound', `The requested object (id = ${id}) does not exist`),
  clash: () => failure(409, 'Conflict', 'A CNAME record cannot coexist with another record of its subDomain'),
} as const

class OvhZone extends RecordZone<OvhRecord> {
  /** That many refreshes fail from now on. */
  failingRefreshes = 0
  #published: OvhRecord[] = []

  constructor(name: string) {
    const own = { zone: name, subDomain: '', fieldType: 'NS', ttl: 0 }
    super(
      name,
      RULES,
      ['dns103.ovh.net.', 'ns103.ovh.net.'].map((target) => ({ id: ++ids, ...own, target })),
    )
    this.refresh()
  }

  /** What was written is served. */
  get isDeployed(): boolean {
    return isDeepStrictEqual(this.#published, this.records)
  }

  refresh(): void {
    if (this.failingRefreshes-- > 0)
      throw new Refused(
        answer(500, { class: 'Server::InternalServerError', message: 'Internal server error' }),
      )
    this.#published = this.records
  }

  /** What is there already is made once more. */
  create(body: unknown): OvhRecord {
    const given = this.#given(body, ['fieldType', 'subDomain', 'target', 'ttl'], 'POST')
    const fieldType = textOf(given['fieldType'])
    if (given['fieldType'] === undefined || given['target'] === undefined)
      throw failure(400, 'BadRequest', '[fieldType] and [target] are required')
    if (!TYPES.has(fieldType))
      throw failure(
        400,
        'BadRequest',
        '[fieldType] Given data is not valid for type zone.NamedResolutionFieldTypeEnum',
      )
    return this.put({
      id: ++ids,
      zone: this.name,
      fieldType,
      ...this.#judge(fieldType, { subDomain: '', ttl: 0, ...given }),
    })
  }

  /** What the body doesn't say stays, and so does the type. */
  update(id: string, body: unknown): void {
    const { fieldType, zone, ...old } = this.get(id)
    const given = this.#given(body, ['subDomain', 'target', 'ttl'], 'PUT')
    this.put({ zone, fieldType, id: old.id, ...this.#judge(fieldType, { ...old, ...given }) })
  }

  #given(body: unknown, known: string[], method: string): Body {
    if (!isBody(body)) throw failure(400, 'BadRequest', 'Received an invalid body')
    const others = Object.keys(body).filter((name) => !known.includes(name))
    if (others.length > 0)
      throw failure(
        400,
        'BadRequest',
        `Received not described parameters: (${others.join(', ')}) when calling ${method} /domain/zone/${this.name}/record`,
      )
    return body
  }

  #judge(fieldType: string, { subDomain, target, ttl }: Body) {
    const name = textOf(subDomain).toLowerCase()
    const isGoodName = name === '' || isLabels(name)
    if (!isGoodName || name.length + this.name.length > 252)
      throw failure(400, 'BadRequest', 'Invalid subDomain')
    const isGoodTtl = ttl === 0 || isInteger(ttl, MIN_TTL, MAX_TTL)
    if (!isGoodTtl) throw failure(400, 'BadRequest', `Invalid ttl, it is 0 or from ${MIN_TTL}`)
    const text = textOf(target)
    const rdata = rdataOf({ zone: this.name, fieldType, target: text })
    if (text === '' || (readType(fieldType) !== null && !isData(fieldType, rdata)))
      throw failure(400, 'BadRequest', 'Invalid target')
    return { subDomain: name, target: text, ttl }
  }
}

/** As a master file has it; `type` is that of the DNS. */
const rdataOf = ({ zone, fieldType, target }: Pick<OvhRecord, 'zone' | 'fieldType' | 'target'>): string =>
  TEXTS.has(fieldType) ? rdataOfEither(target) : inZone(fieldType, target, zone)

const dnsTypeOf = ({ fieldType }: OvhRecord): string => (TEXTS.has(fieldType) ? 'TXT' : fieldType)

const MAX_SKEW = 60
const MAX_BATCH = 50

/** What a request is signed by; `timestamp`: Unix time of OVH's clock, in seconds. */
export const ovhSignature = (
  secret: string,
  consumerKey: string,
  { method, url, body, timestamp }: { method: string; url: string; body: string; timestamp: string },
): string =>
  `$1$${createHash('sha1').update([secret, consumerKey, method, url, body, timestamp].join('+')).digest('hex')}`

/** Of the gateway before the services, which has other words. */
const gateway = (status: number, httpCode: string, errorCode: string, message: string) =>
  new Refused(answer(status, { errorCode, httpCode: `${status} ${httpCode}`, message }))
const badSignature = failure(400, 'BadRequest', 'Invalid signature')
const notGranted = gateway(403, 'Forbidden', 'NOT_GRANTED_CALL', 'This call has not been granted')
const tooMany = new Refused(
  answer(429, { class: 'Client::TooManyRequests', message: 'Too many requests' }, { 'retry-after': '1' }),
)
const noCall = failure(404, 'NotFound', 'Got an invalid (or empty) URL')

const ME = { nichandle: 'xx0000-ovh', email: 'user@example.com', state: 'complete', country: 'FR' }
const CREDENTIAL = {
  credentialId: 1,
  applicationId: 1,
  status: 'validated',
  expiration: null,
  rules: ['GET', 'POST', 'PUT', 'DELETE'].map((method) => ({ method, path: '/domain/zone/*' })),
  ovhSupport: false,
}
const SHOWN = {
  dnssecSupported: true,
  hasDnsAnycast: false,
  nameServers: ['dns103.ovh.net', 'ns103.ovh.net'],
  lastUpdate: '2018-06-11T15:00:00+02:00',
}

interface Keys extends Record<string, string> {
  applicationKey: string
  applicationSecret: string
  consumerKey: string
  readerKey: string
}
type OvhCall = Call<OvhZone, Keys>

const nowOf = ({ ahead = 3600 }: Body): number => Math.floor(Date.now() / 1000) + Number(ahead)

function authenticate(
  { method, target, headers, body, path }: SimulatorRequest,
  { applicationKey, applicationSecret, consumerKey, readerKey, options }: Keys & { options: Body },
): void {
  // The one call that needs no key.
  if (path === '/1.0/auth/time') return
  const header = (name: string) => String(headers[`x-ovh-${name}`] ?? '')
  if (header('application') === '' || header('consumer') === '')
    throw gateway(401, 'Unauthorized', 'NOT_CREDENTIAL', 'You must login first')
  if (header('application') !== applicationKey)
    throw failure(403, 'Forbidden', 'This application key is invalid')
  const consumer = header('consumer')
  if (![consumerKey, readerKey].includes(consumer))
    throw gateway(403, 'Forbidden', 'INVALID_CREDENTIAL', 'This credential is not valid')
  const timestamp = header('timestamp')
  if (!/^\d+$/.test(timestamp) || Math.abs(Number(timestamp) - nowOf(options)) > MAX_SKEW)
    throw gateway(400, 'Bad Request', 'QUERY_TIME_OUT', 'Query out of time')
  const url = `http://${String(headers.host)}${target}`
  const wanted = ovhSignature(applicationSecret, consumer, { method, url, body, timestamp })
  if (header('signature') !== wanted) throw badSignature
  if (consumer === readerKey && method !== 'GET') throw notGranted
}

/** The record's id, which must be a number. */
function idOf({ id }: OvhCall): string {
  if (!/^\d+$/.test(id)) throw failure(400, 'BadRequest', '[id] Given data is not valid for type long')
  return id
}

/** One record, or several by the header `X-Ovh-Batch`, which any call of an object takes. */
function read(call: OvhCall): SimulatorAnswer {
  if (call.request.headers['x-ovh-batch'] !== ',') return answer(200, call.zone.get(idOf(call)))
  const keys = call.id.split(',')
  if (keys.length > MAX_BATCH) throw failure(400, 'BadRequest', `A batch has at most ${MAX_BATCH} objects`)
  const held = new Map(call.zone.records.map((record) => [String(record.id), record]))
  return answer(
    200,
    keys.map((key) => {
      const value = held.get(key) ?? null
      const error = value === null ? { message: `The requested object (id = ${key}) does not exist` } : null
      return { key, value, error }
    }),
  )
}

/** OVH's API. `ahead`: how many seconds its clock is ahead of ours; by default too many for who doesn't ask. */
export default defineDialect({
  path: '/1.0',
  keys: (): Keys => ({
    applicationKey: hexKey(8),
    applicationSecret: hexKey(16),
    consumerKey: hexKey(16),
    readerKey: hexKey(16),
  }),
  newZone: (name) => new OvhZone(name),
  authenticate,
  limits: [{ option: 'perSecond', seconds: 1, refuse: () => tooMany }],
  routes: {
    'GET /auth/time': ({ sim }) => answer(200, nowOf(sim.options)),
    'GET /auth/currentCredential': () => answer(200, CREDENTIAL),
    'GET /me': () => answer(200, ME),
    'GET /domain/zone': ({ sim }) => answer(200, sim.zoneNames()),
    'GET /domain/zone/': ({ sim }) => answer(200, sim.zoneNames()),
    'GET /domain/zone/:zone': ({ zone: { name } }) => answer(200, { name, ...SHOWN }),
    'GET /domain/zone/:zone/status': ({ zone: { isDeployed } }) =>
      answer(200, { warnings: null, errors: null, isDeployed }),
    'POST /domain/zone/:zone/refresh': ({ zone }) => {
      zone.refresh()
      return answer(200, null)
    },
    // A list has ids alone; the names that are asked for are exact, '' is the apex.
    'GET /domain/zone/:zone/record': ({ zone, query }) => {
      const [wantedType, wantedName] = [query.get('fieldType'), query.get('subDomain')]
      const wanted = zone.records.filter(
        ({ fieldType, subDomain }) =>
          (wantedType ?? fieldType) === fieldType && (wantedName ?? subDomain) === subDomain,
      )
      return answer(
        200,
        wanted.map(({ id }) => id),
      )
    },
    'POST /domain/zone/:zone/record': ({ zone, body }) => answer(200, zone.create(body)),
    'GET /domain/zone/:zone/record/:id': read,
    'PUT /domain/zone/:zone/record/:id': (call) => {
      call.zone.update(idOf(call), call.body)
      return answer(200, null)
    },
    'DELETE /domain/zone/:zone/record/:id': (call) => {
      call.zone.delete(idOf(call))
      return answer(200, null)
    },
  },
  errors: {
    noRoute: noCall,
    notAllowed: noCall,
    noZone: failure(404, 'NotFound', 'This service does not exist'),
    badJson: failure(400, 'BadRequest', 'Received an invalid body'),
  },
  suite: {
    credentials: ({ applicationKey, applicationSecret, consumerKey }) => ({
      applicationKey,
      applicationSecret,
      consumerKey,
    }),
    secret: 'applicationSecret',
    wrong: '7f3a'.repeat(8),
    seed: (zone, records) => {
      for (const { name, type, value, ttl } of records) {
        // Of plain texts the text alone, as some clients send it.
        const isPlain = type === 'TXT' && /^[ -!#-[\]-~]+$/.test(value)
        const target = isPlain ? bytesOfText(value).toString() : typeOf(type).write(value)
        zone.create({ subDomain: atAsEmpty(name), fieldType: type, target, ttl: ttl ?? 0 })
      }
      zone.refresh()
    },
    held: (zone) =>
      zone.added.map((record) => ({
        name: emptyAsAt(record.subDomain),
        type: dnsTypeOf(record),
        rdata: rdataOf(record),
        ttl: record.ttl === 0 ? null : record.ttl,
      })),
    faults: {
      unauthorized: badSignature,
      forbidden: notGranted,
      rateLimited: tooMany,
      failure: answer(500, { class: 'Server::InternalServerError', message: 'Internal server error' }),
      refused: (reason) => failure(400, 'BadRequest', reason),
    },
    more: (_, zone, sim) => ({
      // Refreshes are of the commit, and change no record.
      writes: () =>
        sim.requests.filter((request) => sim.changes(request) && !request.path.endsWith('/refresh')).length,
      commits: {
        fail: (times) => void (zone.failingRefreshes = times),
        isInForce: () => zone.isDeployed,
      },
    }),
  },
})
