import { createHash, randomBytes } from 'node:crypto'
import { CallRate, Refused, orRefused, parse } from './answers.ts'
import { OvhZone, answer, failure } from './ovh-zone.ts'
import {
  isWrite,
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
  type SimulatorServer,
} from './server.ts'

export interface FakeOvh extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  applicationKey: string
  applicationSecret: string
  consumerKey: string
  /** May not change anything. */
  readerKey: string
  createZone(name: string): OvhZone
  deleteZone(name: string): void
  zoneNames(): string[]
}

const PREFIX = '/1.0'
const MAX_SKEW = 60
const MAX_BATCH = 50

/**
 * OVH's API over a socket. `perSecond`: calls that are taken in a second. `ahead`: how many seconds its clock is ahead
 * of ours, by default too many for who doesn't ask.
 */
export async function startFakeOvh({ perSecond = Infinity, ahead = 3600 } = {}): Promise<FakeOvh> {
  const api = new Api(perSecond, ahead)
  const server = await startServer((request) => orRefused(() => api.answer(request)))
  const { applicationKey, applicationSecret, consumerKey, readerKey } = api
  return {
    ...server,
    apiUrl: `${server.url}${PREFIX}`,
    applicationKey,
    applicationSecret,
    consumerKey,
    readerKey,
    createZone: (name) => api.createZone(name),
    deleteZone: (name) => void api.zones.delete(name),
    zoneNames: () => [...api.zones.keys()],
  }
}

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
export const badSignature = () => failure(400, 'BadRequest', 'Invalid signature')
export const notGranted = () =>
  gateway(403, 'Forbidden', 'NOT_GRANTED_CALL', 'This call has not been granted')
export const tooMany = () =>
  new Refused(
    answer(429, { class: 'Client::TooManyRequests', message: 'Too many requests' }, { 'retry-after': '1' }),
  )

const noCall = () => failure(404, 'NotFound', 'Got an invalid (or empty) URL')
const badBody = failure(400, 'BadRequest', 'Received an invalid body').answer
const done = () => answer(200, null)

class Api {
  readonly zones = new Map<string, OvhZone>()
  readonly applicationKey = randomBytes(8).toString('hex')
  readonly applicationSecret = randomBytes(16).toString('hex')
  readonly consumerKey = randomBytes(16).toString('hex')
  readonly readerKey = randomBytes(16).toString('hex')
  readonly #rate: CallRate
  readonly #ahead: number

  constructor(perSecond: number, ahead: number) {
    this.#rate = new CallRate(perSecond, 1)
    this.#ahead = ahead
  }

  createZone(name: string): OvhZone {
    const zone = new OvhZone(name)
    this.zones.set(name, zone)
    return zone
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    if (!this.#rate.take().taken) throw tooMany()
    const path = request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length) : ''
    // The one call that needs no key.
    if (path === '/auth/time') return answer(200, this.#now())
    this.#authorize(request)
    const isRead = request.method === 'GET'
    if (path === '/auth/currentCredential' && isRead) return answer(200, this.#credential())
    if (path === '/me' && isRead) return answer(200, ME)
    const [domain, area, name, part, id, ...rest] = path.slice(1).replace(/\/$/, '').split('/')
    if (domain !== 'domain' || area !== 'zone' || rest.length > 0) throw noCall()
    if (name === undefined && isRead) return answer(200, [...this.zones.keys()])
    const zone = this.zones.get(decodeURIComponent(name ?? ''))
    if (zone === undefined) throw failure(404, 'NotFound', 'This service does not exist')
    if (part === undefined && isRead) return answer(200, shown(zone))
    if (part === 'record') return id === undefined ? records(request, zone) : oneRecord(request, zone, id)
    if (id !== undefined) throw noCall()
    if (part === 'status' && isRead)
      return answer(200, { warnings: null, errors: null, isDeployed: zone.isDeployed })
    if (part !== 'refresh' || request.method !== 'POST') throw noCall()
    zone.refresh()
    return done()
  }

  #now(): number {
    return Math.floor(Date.now() / 1000) + this.#ahead
  }

  #authorize({ method, target, headers, body }: SimulatorRequest): void {
    const header = (name: string) => String(headers[`x-ovh-${name}`] ?? '')
    if (header('application') === '' || header('consumer') === '')
      throw gateway(401, 'Unauthorized', 'NOT_CREDENTIAL', 'You must login first')
    if (header('application') !== this.applicationKey)
      throw failure(403, 'Forbidden', 'This application key is invalid')
    const consumer = header('consumer')
    if (![this.consumerKey, this.readerKey].includes(consumer))
      throw gateway(403, 'Forbidden', 'INVALID_CREDENTIAL', 'This credential is not valid')
    const timestamp = header('timestamp')
    if (!/^\d+$/.test(timestamp) || Math.abs(Number(timestamp) - this.#now()) > MAX_SKEW)
      throw gateway(400, 'Bad Request', 'QUERY_TIME_OUT', 'Query out of time')
    const url = `http://${String(headers.host)}${target}`
    const wanted = ovhSignature(this.applicationSecret, consumer, { method, url, body, timestamp })
    if (header('signature') !== wanted) throw badSignature()
    if (consumer === this.readerKey && method !== 'GET') throw notGranted()
  }

  #credential() {
    const rules = ['GET', 'POST', 'PUT', 'DELETE'].map((method) => ({ method, path: '/domain/zone/*' }))
    return {
      credentialId: 1,
      applicationId: 1,
      status: 'validated',
      expiration: null,
      rules,
      ovhSupport: false,
    }
  }
}

const ME = { nichandle: 'xx0000-ovh', email: 'user@example.com', state: 'complete', country: 'FR' }

const shown = ({ name }: OvhZone) => ({
  name,
  dnssecSupported: true,
  hasDnsAnycast: false,
  nameServers: ['dns103.ovh.net', 'ns103.ovh.net'],
  lastUpdate: '2018-06-11T15:00:00+02:00',
})

/** A list has ids alone; the names that are asked for are exact, '' is the apex. */
function records(request: SimulatorRequest, zone: OvhZone): SimulatorAnswer {
  const { method, query } = request
  if (method === 'POST') return answer(200, zone.create(parse(request, badBody)))
  if (method !== 'GET') throw noCall()
  const wanted = zone.records.filter(
    ({ fieldType, subDomain }) =>
      (query.get('fieldType') ?? fieldType) === fieldType &&
      (query.get('subDomain') ?? subDomain) === subDomain,
  )
  return answer(
    200,
    wanted.map(({ id }) => id),
  )
}

function oneRecord(request: SimulatorRequest, zone: OvhZone, id: string): SimulatorAnswer {
  const { method, headers } = request
  if (method === 'GET' && headers['x-ovh-batch'] === ',') return many(zone, decodeURIComponent(id).split(','))
  if (!/^\d+$/.test(id)) throw failure(400, 'BadRequest', '[id] Given data is not valid for type long')
  if (method === 'GET') return answer(200, zone.get(Number(id)))
  if (!isWrite(request)) throw noCall()
  if (method === 'PUT') zone.update(Number(id), parse(request, badBody))
  else if (method === 'DELETE') zone.delete(Number(id))
  else throw noCall()
  return done()
}

/** Several in one call, by the header `X-Ovh-Batch`, which any call of an object takes. */
function many(zone: OvhZone, keys: string[]): SimulatorAnswer {
  if (keys.length > MAX_BATCH) throw failure(400, 'BadRequest', `A batch has at most ${MAX_BATCH} objects`)
  const held = new Map(zone.records.map((record) => [String(record.id), record]))
  return answer(
    200,
    keys.map((key) => {
      const value = held.get(key) ?? null
      const error = value === null ? { message: `The requested object (id = ${key}) does not exist` } : null
      return { key, value, error }
    }),
  )
}
