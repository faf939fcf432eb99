import { randomBytes, randomUUID } from 'node:crypto'
import { CallRate, Refused, isBody, json, orRefused, parse, textOf } from './answers.ts'
import { listOf, page, shown, shownSet } from './huawei-answers.ts'
import { sdkHmacSignature } from './huawei-signature.ts'
import { HuaweiZone, failure, type HuaweiSet } from './huawei-zone.ts'
import {
  isWrite,
  startServer,
  type SimulatorAnswer,
  type SimulatorRequest,
  type SimulatorServer,
} from './server.ts'

export interface HuaweiSimulator extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  accessKey: string
  secretKey: string
  /** Of a key that may not change anything. */
  reader: { accessKey: string; secretKey: string }
  /** `name` without the final dot. */
  createZone(name: string): HuaweiZone
  deleteZone(name: string): void
  zoneNames(): string[]
}

const MAX_SKEW_MS = 15 * 60_000
const MAX_DELETES = 100
const MAX_UPDATES = 50

/** Huawei Cloud DNS over a socket. `perMinute`: calls that are taken in a minute, of the real one about 100. */
export async function startHuaweiSimulator({ perMinute = Infinity } = {}): Promise<HuaweiSimulator> {
  const api = new Api(perMinute)
  const server = await startServer((request) => orRefused(() => api.answer(request)))
  return {
    ...server,
    apiUrl: server.url,
    ...api.owner,
    reader: api.reader,
    createZone: (name) => api.add(new HuaweiZone(`${name}.`)),
    deleteZone: (name) => {
      for (const zone of api.zones.values()) if (zone.name === `${name}.`) api.zones.delete(zone.id)
    },
    zoneNames: () => [...api.zones.values()].map(({ name }) => name.slice(0, -1)),
  }
}

const newKey = () => ({
  accessKey: randomBytes(10).toString('hex').toUpperCase(),
  secretKey: randomBytes(20).toString('hex'),
})

/** Of the gateway before the service, which has other words. */
const gateway = (status: number, error_code: string, error_msg: string) =>
  new Refused(json(status, { error_code, error_msg, request_id: randomUUID().replaceAll('-', '') }))
export const unauthorized = (why = 'verify aksk signature fail') =>
  gateway(401, 'APIGW.0301', `Incorrect IAM authentication information: ${why}`)
export const forbidden = () => failure(403, 'DNS.0013', 'Policy does not allow the operation.')
export const tooMany = () =>
  gateway(
    429,
    'APIGW.0308',
    'The throttling threshold has been reached: policy user over ratelimit,limit:100,time:1 minute',
  )

const AUTHORIZATION = /^SDK-HMAC-SHA256 Access=(\w+), SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/
const notFound = () => gateway(404, 'APIGW.0101', 'The API does not exist or has not been published')
const badJson = failure(400, 'DNS.0002', 'Invalid request.').answer

class Api {
  readonly zones = new Map<string, HuaweiZone>()
  readonly owner = newKey()
  readonly reader = newKey()
  readonly #rate: CallRate

  constructor(perMinute: number) {
    this.#rate = new CallRate(perMinute, 60)
  }

  add(zone: HuaweiZone): HuaweiZone {
    this.zones.set(zone.id, zone)
    return zone
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    if (!this.#rate.take().taken) throw tooMany()
    this.#authorize(request)
    const [version, area, id, part, ...rest] = request.path.slice(1).replace(/\/$/, '').split('/')
    if (version !== 'v2' && version !== 'v2.1') throw notFound()
    if (area === 'recordsets' && version === 'v2.1' && id !== undefined)
      return this.#statuses(request, id, part, rest)
    if (area !== 'zones') throw notFound()
    if (id === undefined) return this.#zones(request)
    const zone = this.zones.get(id)
    if (zone === undefined) throw failure(404, 'DNS.0302', `This Zone '${id}' does not exist.`)
    if (part === undefined) return this.#zone(request, zone)
    if (part === 'nameservers') return json(200, { nameservers: zone.nameServers })
    if (part !== 'recordsets') throw notFound()
    return recordsets(request, zone, version, rest)
  }

  #authorize(request: SimulatorRequest): void {
    const { method, path, query, headers, bytes } = request
    const [, id, signedNames = '', signature] = AUTHORIZATION.exec(String(headers.authorization)) ?? []
    if (id === undefined) throw unauthorized('decrypt token fail')
    const key = [this.owner, this.reader].find(({ accessKey }) => accessKey === id)
    if (key === undefined) throw unauthorized()
    const [, y, mo, d, h, mi, s] =
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(headers['x-sdk-date'])) ?? []
    const at = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`)
    if (!(Math.abs(Date.now() - at) <= MAX_SKEW_MS)) throw unauthorized('the x-sdk-date is expired')
    const signed = signedNames.split(';')
    const isWhole = signed.includes('host') && signed.includes('x-sdk-date')
    const isInOrder = signed.toSorted().join(';') === signedNames
    const wanted = sdkHmacSignature({
      secret: key.secretKey,
      method,
      path,
      query,
      headers,
      signed,
      body: bytes,
    })
    if (!isWhole || !isInOrder || signature !== wanted) throw unauthorized()
    if (key === this.reader && isWrite(request)) throw forbidden()
  }

  #zones(request: SimulatorRequest): SimulatorAnswer {
    const { method, query } = request
    if (method === 'GET') {
      const name = query.get('name')?.replace(/\.$/, '') ?? ''
      // By a part, where it is not said otherwise.
      const isExact = query.get('search_mode') === 'equal'
      const wanted = [...this.zones.values()].filter(
        (zone) => name === '' || (isExact ? zone.name === `${name}.` : zone.name.includes(name)),
      )
      return page(request, 'zones', wanted, (zone) => shown(zone))
    }
    if (method !== 'POST') throw notFound()
    const body = parse(request, badJson)
    const name = isBody(body) ? textOf(body['name']).toLowerCase().replace(/\.$/, '') : ''
    if (!/^([a-z0-9_-]+\.)+[a-z0-9-]+$/.test(name)) throw failure(400, 'DNS.0202', 'Invalid zone name.')
    if ([...this.zones.values()].some((zone) => zone.name === `${name}.`))
      throw failure(400, 'DNS.0208', `The zone '${name}.' already exists.`)
    const email = isBody(body) ? textOf(body['email']) : ''
    const zone = this.add(new HuaweiZone(`${name}.`, email === '' ? undefined : email))
    return json(202, shown(zone, 'PENDING_CREATE'))
  }

  #zone({ method }: SimulatorRequest, zone: HuaweiZone): SimulatorAnswer {
    if (method === 'GET') return json(200, shown(zone))
    if (method !== 'DELETE') throw notFound()
    this.zones.delete(zone.id)
    return json(202, shown(zone, 'PENDING_DELETE'))
  }

  /** Of sets that are named without their zone. */
  #statuses(
    request: SimulatorRequest,
    id: string,
    part: string | undefined,
    rest: string[],
  ): SimulatorAnswer {
    const body = parse(request, badJson)
    if (request.method !== 'PUT' || !isBody(body)) throw notFound()
    const ownerOf = (setId: string) =>
      [...this.zones.values()].find(({ sets }) => sets.some((set) => set.id === setId))
    const change = (setId: string) => {
      const zone = ownerOf(setId)
      if (zone === undefined) throw failure(404, 'DNS.0313', 'This Record Set does not exist.')
      return shownSet(zone, 'v2.1', zone.setStatus(setId, body['status']))
    }
    if (part === 'statuses' && rest.join('/') === 'set') return json(200, change(id))
    if (id !== 'statuses' || part !== undefined) throw notFound()
    const ids = idsOf(body['recordset_ids'], MAX_UPDATES)
    return json(202, listOf(ids.filter((one) => ownerOf(one) !== undefined).map(change)))
  }
}

function recordsets(
  request: SimulatorRequest,
  zone: HuaweiZone,
  version: string,
  [id, ...rest]: string[],
): SimulatorAnswer {
  const { method } = request
  const show = (set: HuaweiSet) => shownSet(zone, version, set)
  const lines = version === 'v2.1'
  if (id === 'batch' && rest.join('/') === 'lines' && lines && method === 'POST')
    return json(202, listOf(ofLines(zone, parse(request, badJson)).map(show)))
  if (rest.length > 0) throw notFound()
  if (id === undefined) {
    if (method === 'GET')
      return page(request, 'recordsets', zone.ask().filter(wantedBy(request.query, lines)), show)
    const body = parse(request, badJson)
    if (method === 'POST') return json(202, show(zone.create(body, { lines })))
    if (!lines || !isBody(body)) throw notFound()
    if (method === 'PUT') return json(202, listOf(updateAll(zone, body['recordsets']).map(show)))
    if (method !== 'DELETE') throw notFound()
    const known = new Set(zone.sets.map((set) => set.id))
    // What is not there is taken for deleted.
    const ids = idsOf(body['recordset_ids'], MAX_DELETES).filter((one) => known.has(one))
    return json(202, listOf(zone.atomically(() => ids.map((one) => zone.delete(one))).map(show)))
  }
  if (method === 'GET') {
    zone.ask()
    return json(200, show(zone.get(id)))
  }
  if (method === 'PUT') return json(202, show(zone.update(id, parse(request, badJson))))
  if (method !== 'DELETE') throw notFound()
  return json(202, show(zone.delete(id)))
}

function updateAll(zone: HuaweiZone, items: unknown): HuaweiSet[] {
  if (!Array.isArray(items) || items.length === 0 || items.length > MAX_UPDATES) throw new Refused(badJson)
  return zone.atomically(() =>
    items.map((item: unknown) => zone.update(isBody(item) ? textOf(item['id']) : '', item)),
  )
}

function ofLines(zone: HuaweiZone, body: unknown): HuaweiSet[] {
  const lines = isBody(body) ? body['lines'] : undefined
  if (!isBody(body) || !Array.isArray(lines) || lines.length === 0 || lines.length > MAX_UPDATES)
    throw new Refused(badJson)
  const { name, type, description } = body
  return zone.atomically(() =>
    lines.map((line: unknown) => zone.create({ ...(isBody(line) ? line : {}), name, type, description })),
  )
}

function idsOf(ids: unknown, most: number): string[] {
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > most) throw new Refused(badJson)
  return ids.map(textOf)
}

/** Names are compared in parts, where it is not said otherwise; `status` and `line_id` are of v2.1 alone. */
function wantedBy(query: URLSearchParams, lines: boolean): (set: HuaweiSet) => boolean {
  const name = query.get('name')?.toLowerCase().replace(/\.$/, '') ?? ''
  const isExact = query.get('search_mode') === 'equal'
  return (set) =>
    (name === '' || (isExact ? set.name === `${name}.` : set.name.includes(name))) &&
    (query.get('type') ?? set.type) === set.type &&
    (query.get('status') ?? set.status) === set.status &&
    (!lines || (query.get('line_id') ?? set.line) === set.line)
}
