import { CallRate, Refused, bearerOf, isBody, json, orRefused, pageOf, parse } from './answers.ts'
import type { CloudflareRecord } from './cloudflare-records.ts'
import { CloudflareZone, failure, newId } from './cloudflare-zone.ts'
import {
  isWrite,
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
  type SimulatorServer,
} from './server.ts'

export interface CloudflareSimulator extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  token: string
  /** Of a token that may not change records or zones. */
  readToken: string
  accountId: string
  createZone(name: string): CloudflareZone
  deleteZone(name: string): void
  zoneNames(): string[]
}

const PREFIX = '/client/v4'
/** What the real one lists at most on a page; of records it is meant never to be reached. */
const ZONES = { size: 20, most: 100 }
const RECORDS = { size: 100, most: 5_000_000 }
const TOKEN = /^[\w-]{40}$/

/** Cloudflare's API v4 over a socket. `rate`: calls that are taken in 5 minutes, of the real one 1200. */
export async function startCloudflareSimulator({ rate = Infinity } = {}): Promise<CloudflareSimulator> {
  const api = new Api(rate)
  const server = await startServer((request) => orRefused(() => api.answer(request)))
  return {
    ...server,
    apiUrl: `${server.url}${PREFIX}`,
    token: api.token,
    readToken: api.readToken,
    accountId: api.account.id,
    createZone: (name) => api.createZone(name),
    deleteZone: (name) => {
      for (const zone of api.zones.values()) if (zone.name === name) api.zones.delete(zone.id)
    },
    zoneNames: () => [...api.zones.values()].map(({ name }) => name),
  }
}

const success = (result: unknown, more: object = {}): SimulatorAnswer =>
  json(200, { result, success: true, errors: [], messages: [], ...more })

class Api {
  readonly zones = new Map<string, CloudflareZone>()
  readonly token = `${'fake-cloudflare-token-'.padEnd(32, 'x')}${newId().slice(0, 8)}`
  readonly readToken = `${'fake-cloudflare-reader-'.padEnd(32, 'x')}${newId().slice(0, 8)}`
  readonly account = { id: newId(), name: 'An account' }
  readonly #rate: CallRate

  constructor(rate: number) {
    this.#rate = new CallRate(rate, 300)
  }

  createZone(name: string): CloudflareZone {
    const zone = new CloudflareZone(name)
    this.zones.set(zone.id, zone)
    return zone
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    const path = request.path.startsWith(`${PREFIX}/`) ? request.path.slice(PREFIX.length) : ''
    this.#authorize(request, path)
    const { taken } = this.#rate.take()
    if (!taken) throw tooMany()
    const [area, id, part, record, ...rest] = path.slice(1).split('/')
    if (rest.length > 0) throw noRoute(path)
    if (area === 'user' && id === 'tokens' && part === 'verify') return tokenIsActive()
    if (area === 'accounts' && id === undefined) return this.#list([this.account], request, ZONES)
    if (area !== 'zones') throw noRoute(path)
    if (id === undefined) return this.#zones(request, path)
    const zone = this.zones.get(id)
    if (zone === undefined) throw noRoute(path)
    if (part === undefined) return this.#zone(request, zone)
    if (part !== 'dns_records') throw noRoute(path)
    return record === undefined ? this.#records(request, zone, path) : oneRecord(request, zone, record, path)
  }

  #authorize(request: SimulatorRequest, path: string): void {
    const header = request.headers['authorization']
    if (header === undefined) throw failure(400, { code: 10_001, message: 'Unable to authenticate request' })
    const token = bearerOf(request)
    if (!TOKEN.test(token)) {
      const chain = [{ code: 6111, message: 'Invalid format for Authorization header' }]
      throw failure(400, { code: 6003, message: 'Invalid request headers', error_chain: chain })
    }
    const isKnown = [this.token, this.readToken].includes(token)
    if (isKnown && (token === this.token || !isWrite(request))) return
    if (path === '/user/tokens/verify') throw failure(401, { code: 1000, message: 'Invalid API Token' })
    // What a good token may not do is answered by records as a bad one is.
    if (isKnown || path.includes('/dns_records'))
      throw failure(403, { code: 10_000, message: 'Authentication error' })
    throw failure(403, { code: 9109, message: 'Invalid access token' })
  }

  #zones(request: SimulatorRequest, path: string): SimulatorAnswer {
    if (request.method === 'GET') {
      const [name, account] = [request.query.get('name'), request.query.get('account.id')]
      const status = request.query.get('status')
      const zones = [...this.zones.values()].filter(
        (zone) =>
          (name === null || zone.name === name.toLowerCase()) &&
          (account === null || account === this.account.id) &&
          (status === null || status === 'active'),
      )
      return this.#list(
        zones.map((zone) => this.#shown(zone)),
        request,
        ZONES,
      )
    }
    if (request.method !== 'POST') throw methodNotAllowed(path)
    const body = parse(request, badJson)
    if (!isBody(body) || typeof body['name'] !== 'string')
      throw failure(400, { code: 1005, message: 'The name of the zone is missing.' })
    const { name, account } = body
    if (isBody(account) && account['id'] !== undefined && account['id'] !== this.account.id)
      throw failure(403, { code: 1068, message: 'Permission denied' })
    if ([...this.zones.values()].some((zone) => zone.name === name))
      throw failure(400, { code: 1061, message: `${name} already exists` })
    return success(this.#shown(this.createZone(name)))
  }

  #zone(request: SimulatorRequest, zone: CloudflareZone): SimulatorAnswer {
    if (request.method === 'GET') return success(this.#shown(zone))
    if (request.method !== 'DELETE') throw methodNotAllowed(request.path)
    this.zones.delete(zone.id)
    return success({ id: zone.id })
  }

  #shown(zone: CloudflareZone) {
    return {
      id: zone.id,
      name: zone.name,
      status: 'active',
      paused: false,
      type: 'full',
      development_mode: 0,
      name_servers: ['blakely.ns.cloudflare.com', 'vin.ns.cloudflare.com'],
      original_name_servers: null,
      created_on: zone.createdOn,
      modified_on: zone.createdOn,
      activated_on: zone.createdOn,
      meta: { step: 4, page_rule_quota: 3, phishing_detected: false },
      owner: { id: null, type: 'user', email: null },
      account: this.account,
      permissions: ['#dns_records:edit', '#dns_records:read', '#zone:read'],
      plan: { id: newId(), name: 'Free Website', legacy_id: 'free' },
    }
  }

  #records(request: SimulatorRequest, zone: CloudflareZone, path: string): SimulatorAnswer {
    if (request.method === 'POST') return success(zone.post(parse(request, badJson)))
    if (request.method !== 'GET') throw methodNotAllowed(path)
    return this.#list(
      zone.records.filter((record) => isWanted(record, request.query)),
      request,
      RECORDS,
    )
  }

  #list(
    all: unknown[],
    { query }: SimulatorRequest,
    limits: { size: number; most: number },
  ): SimulatorAnswer {
    const found = pageOf(all, query, limits)
    if (found === null)
      throw failure(400, { code: 1004, message: `per_page must be between 1 and ${limits.most}` })
    const { items, page, size, pages } = found
    const info = { page, per_page: size, count: items.length, total_count: all.length, total_pages: pages }
    return success(items, { result_info: info })
  }
}

/** Filters of names and contents are exact or by a word after a dot, and don't tell capitals from others. */
function isWanted(record: CloudflareRecord, query: URLSearchParams): boolean {
  const tests: ((text: string, wanted: string) => boolean)[] = [
    (text, wanted) => text === wanted,
    (text, wanted) => text === wanted,
    (text, wanted) => text.includes(wanted),
    (text, wanted) => text.startsWith(wanted),
    (text, wanted) => text.endsWith(wanted),
  ]
  const words = ['', '.exact', '.contains', '.startswith', '.endswith']
  const fits = (['name', 'content'] as const).every((field) =>
    words.every((word, i) => {
      const wanted = query.get(`${field}${word}`)
      return wanted === null || tests[i]?.(record[field].toLowerCase(), wanted.toLowerCase()) === true
    }),
  )
  const type = query.get('type')
  const proxied = query.get('proxied')
  return (
    fits && (type ?? record.type) === record.type && (proxied ?? `${record.proxied}`) === `${record.proxied}`
  )
}

function oneRecord(
  request: SimulatorRequest,
  zone: CloudflareZone,
  id: string,
  path: string,
): SimulatorAnswer {
  const { method } = request
  if (id === 'batch' && method === 'POST') return success(zone.batch(parse(request, badJson)))
  if (method === 'GET') return success(zone.get(id))
  if (method === 'PUT') return success(zone.put(id, parse(request, badJson)))
  if (method === 'PATCH') return success(zone.patch(id, parse(request, badJson)))
  if (method !== 'DELETE') throw methodNotAllowed(path)
  return success({ id: zone.delete(id).id })
}

const badJson = failure(400, { code: 6007, message: 'Malformed JSON in request body' }).answer

const methodNotAllowed = (path: string) =>
  failure(405, { code: 7001, message: `Method not available for the requested URI ${path}` })

const noRoute = (path: string) =>
  failure(
    404,
    { code: 7003, message: `Could not route to ${path}, perhaps your object identifier is invalid?` },
    { code: 7000, message: 'No route for that URI' },
  )

export const tooMany = (seconds = 300) => {
  const message =
    'More than 1200 requests per 300 seconds reached. Please wait and consider throttling your request speed'
  const { answer } = failure(429, { code: 10_100, message })
  return new Refused({ ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } })
}

const tokenIsActive = () =>
  json(200, {
    result: { id: newId(), status: 'active' },
    success: true,
    errors: [],
    messages: [{ code: 10_000, message: 'This API Token is valid and active', type: null }],
  })
