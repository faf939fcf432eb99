import { randomUUID } from 'node:crypto'
import { Refused, bearerOf, isBody, json, type Body } from './answers.ts'
import { MAX_TTL, hexKey, isAddress, isData, isInteger, isLabels, isTarget, isZoneName } from './checks.ts'
import { atAsEmpty, emptyAsAt, joinContent, joinData, splitContent } from './rdata.ts'
import { RecordZone } from './record-zone.ts'
import { isWrite, type SimulatorAnswer } from './server.ts'
import { defineDialect } from './dialect.ts'

interface VultrRecord {
  id: string
  type: string
  /** Relative to the domain, '' for the apex. */
  name: string
  /** Names without the final dot; of SRV `weight port target`. */
  data: string
  /** -1: none, of what Vultr made; else what was sent, also where it means nothing. */
  priority: number
  /** Seconds. */
  ttl: number
}

const TYPES = new Set(['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SRV', 'SSHFP', 'TXT'])
const DEFAULT_TTL = 300
const MIN_TTL = 120
const PAGES = { size: 25, most: 500 }
const OWN = { name: '', priority: -1, ttl: DEFAULT_TTL }
const ACCOUNT = {
  name: 'An account',
  email: 'user@example.com',
  acls: ['dns'],
  balance: 0,
  pending_charges: 0,
}

const failure = (status: number, error: string) => new Refused(json(status, { error, status }))
const invalid = (reason: string) => failure(400, reason)
const forbidden = failure(403, 'Forbidden.')
const unauthorized = failure(401, 'Invalid API token.')
const tooMany = failure(429, 'Rate limit hit, please try your request again later.')
const noContent: SimulatorAnswer = { status: 204, headers: { 'content-type': 'text/html; charset=UTF-8' } }

const RULES = {
  id: 'id',
  name: 'name',
  type: 'type',
  missing: () => failure(404, 'Invalid record.'),
  clash: () => invalid('A CNAME record cannot share a name with other records.'),
} as const

class VultrDomain extends RecordZone<VultrRecord> {
  readonly shown: { domain: string; date_created: string; dns_sec: string }

  /** `ip`: where it is given, Vultr makes three more records. */
  constructor(name: string, { ip, dns_sec: dnsSec }: Body) {
    const own = (type: string, data: unknown, more: object = {}): VultrRecord => ({
      id: randomUUID(),
      type,
      ...OWN,
      data: String(data),
      ...more,
    })
    const ofAddress = [own('A', ip), own('CNAME', name, { name: '*' }), own('MX', name, { priority: 10 })]
    const servers = [own('NS', 'ns1.vultr.com'), own('NS', 'ns2.vultr.com')]
    super(name, RULES, [...servers, ...(ip === undefined ? [] : ofAddress)])
    const createdAt = new Date().toISOString().replace(/\.\d+Z/, '+00:00')
    this.shown = {
      domain: name,
      date_created: createdAt,
      dns_sec: dnsSec === 'enabled' ? dnsSec : 'disabled',
    }
  }

  /** A record that is there already is made once more. */
  post(body: unknown): VultrRecord {
    if (!isBody(body)) throw invalid('Invalid data.')
    return this.put(readRecord(randomUUID(), { ttl: DEFAULT_TTL, priority: 0, ...body }))
  }

  /** What the body doesn't say stays; the type stays always. */
  patch(id: string, body: unknown): void {
    const old = this.get(id)
    if (!isBody(body)) throw invalid('Invalid data.')
    if (body['type'] !== undefined && body['type'] !== old.type) throw invalid('Invalid type.')
    this.put(readRecord(id, { ...old, ...body }))
  }
}

function readRecord(id: string, { type, name, data, priority, ttl }: Body): VultrRecord {
  if (typeof type !== 'string' || !TYPES.has(type)) throw invalid('Invalid type.')
  if (name !== '' && !isLabels(name)) throw invalid('Invalid name.')
  if (typeof data !== 'string' || !isValid(type, data)) throw invalid('Invalid data.')
  if (!isInteger(ttl, MIN_TTL, MAX_TTL)) throw invalid(`TTL must be at least ${MIN_TTL}.`)
  if (!isInteger(priority, -1, 65_535)) throw invalid('Invalid priority.')
  return { id, type, name, data, priority, ttl }
}

function isValid(type: string, data: string): boolean {
  if (type === 'A' || type === 'AAAA') return isAddress(type, data)
  // One string in quotes, however long; neither quotes nor escapes are in it.
  if (type === 'TXT') return /^"[^"\\]+"$/.test(data)
  if (type === 'CAA') return /^\d+ [a-z]+ "[^"\s]*"$/.test(data)
  if (type === 'SSHFP') return isData(type, data)
  if (type !== 'SRV') return isTarget(data)
  const [, target] = /^\d{1,5} \d{1,5} (\S+)$/.exec(data) ?? []
  return target === '.' || isTarget(target)
}

const cursorOf = (at: number) => Buffer.from(`next__${at}`).toString('base64')

/** By cursors; '' for the one that is not there. */
function page(query: URLSearchParams, collection: string, all: unknown[]): SimulatorAnswer {
  const size = Number(query.get('per_page') ?? PAGES.size)
  if (!isInteger(size, 1, PAGES.most)) throw invalid('Invalid per_page.')
  const cursor = query.get('cursor') ?? ''
  const [, place] = /^next__(\d+)$/.exec(Buffer.from(cursor, 'base64').toString()) ?? []
  if (cursor !== '' && place === undefined) throw invalid('Invalid cursor.')
  const at = Number(place ?? 0)
  const links = {
    next: at + size < all.length ? cursorOf(at + size) : '',
    prev: at > 0 ? cursorOf(Math.max(0, at - size)) : '',
  }
  return json(200, { [collection]: all.slice(at, at + size), meta: { total: all.length, links } })
}

/** Vultr's API v2. */
export default defineDialect({
  path: '/v2',
  keys: () => ({ key: hexKey(18).toUpperCase(), readKey: hexKey(18).toUpperCase() }),
  newZone: (name, given) => new VultrDomain(name, given),
  headers: ({ key }) => ({ authorization: `Bearer ${key}` }),
  authenticate: (request, { key, readKey }) => {
    const given = bearerOf(request)
    if (given !== key && given !== readKey) throw unauthorized
    if (given === readKey && isWrite(request)) throw forbidden
  },
  limits: [{ option: 'rate', seconds: 1, refuse: () => tooMany }],
  routes: {
    'GET /account': () => json(200, { account: ACCOUNT }),
    'GET /domains': ({ query, zones }) =>
      page(
        query,
        'domains',
        zones.map(({ shown }) => shown),
      ),
    'POST /domains': ({ body, sim }) => {
      const given = isBody(body) ? body : {}
      const { domain: name } = given
      if (!isZoneName(name)) throw invalid('Invalid domain.')
      if (sim.zones.has(name)) throw invalid('Domain already exists.')
      return json(201, { domain: sim.createZone(name, given).shown })
    },
    'GET /domains/:zone': ({ zone }) => json(200, { domain: zone.shown }),
    'DELETE /domains/:zone': ({ zone, sim }) => {
      sim.deleteZone(zone.name)
      return noContent
    },
    'GET /domains/:zone/records': ({ zone, query }) => page(query, 'records', zone.records),
    'POST /domains/:zone/records': ({ zone, body }) => json(201, { record: zone.post(body) }),
    'GET /domains/:zone/records/:id': ({ zone, id }) => json(200, { record: zone.get(id) }),
    'PATCH /domains/:zone/records/:id': ({ zone, id, body }) => {
      zone.patch(id, body)
      return noContent
    },
    'DELETE /domains/:zone/records/:id': ({ zone, id }) => {
      zone.delete(id)
      return noContent
    },
  },
  errors: {
    noRoute: failure(404, 'Not found.'),
    noZone: failure(404, 'Invalid domain.'),
    notAllowed: failure(405, 'Method not allowed.'),
    badJson: invalid('Invalid JSON in the request.'),
  },
  suite: {
    credentials: ({ key }) => ({ apiKey: key }),
    secret: 'apiKey',
    wrong: '7F3A'.repeat(9),
    seed: (domain, records) => {
      for (const { name, type, value, ttl } of records) {
        const { content, priority = 0 } = splitContent(type, value)
        const data = type === 'TXT' ? `"${content}"` : content
        domain.post({ type, name: atAsEmpty(name), data, priority, ttl })
      }
    },
    held: (domain) =>
      domain.added.map(({ name, type, data, priority, ttl }) => ({
        name: emptyAsAt(name),
        type,
        ttl,
        rdata:
          type === 'TXT'
            ? joinData(type, { data: data.slice(1, -1) }, domain.name)
            : joinContent(type, data, priority, domain.name),
      })),
    faults: {
      unauthorized,
      forbidden,
      rateLimited: tooMany,
      failure: failure(500, 'Internal server error.'),
      refused: invalid,
    },
  },
})
