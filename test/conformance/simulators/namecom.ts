import { typeOf } from '../../../dns/types/index.ts'
import { readQuoted } from '../../../dns/text/text.ts'
import { Refused, isBody, json, pageOf, type Body } from './answers.ts'
import { hexKey, isAddress, isInteger, isLabels, isTarget } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import { atAsEmpty, emptyAsAt, joinContent, rdataOfEither, splitContent } from './rdata.ts'
import { RecordZone } from './record-zone.ts'
import { isWrite, type SimulatorAnswer, type SimulatorRequest } from './server.ts'

interface NameComRecord {
  id: number
  domainName: string
  /** Relative to the domain, '' for the apex. */
  host: string
  /** Ends in a dot. */
  fqdn: string
  type: string
  /** Names without the final dot; of SRV `weight port target`. */
  answer: string
  /** Seconds. */
  ttl: number
  /** Of MX and SRV; else 0. */
  priority: number
}

const TYPES = new Set(['A', 'AAAA', 'ANAME', 'CNAME', 'MX', 'NS', 'SRV', 'TXT'])
const MIN_TTL = 300
const MAX_TTL = 2_147_483_647
/** Bytes of a TXT, with quotes and escapes; found by users, and not documented. */
const MAX_TEXT = 512
const PAGES = { size: 1000, most: 1000, by: 'perPage' }

const failure = (status: number, message: string, details?: string) =>
  new Refused(json(status, { message, ...(details !== undefined && { details }) }))
const invalid = (details: string) => failure(422, 'Unprocessable Entity', details)
const unauthorized = failure(401, 'Unauthorized')
const forbidden = failure(403, 'Permission Denied')
const notFound = failure(404, 'Not Found')
const tooMany = failure(429, 'Too Many Requests')

/** What has its default value is left out of all answers. */
const shown = (value: object) =>
  Object.fromEntries(
    Object.entries(value).filter(([, field]) => field !== '' && field !== 0 && field !== false),
  )

const RULES = {
  id: 'id',
  name: 'host',
  type: 'type',
  missing: () => notFound,
  clash: () => invalid('Parameter Value Error - CNAME records cannot share a host with other records'),
  twins: {
    identity: ({ type, answer, priority }: NameComRecord) => `${type} ${priority} ${answer}`,
    refuse: () => invalid('Parameter Value Error - Duplicate Record'),
  },
} as const

let lastId = 120_000

/** One domain. Its own NS and SOA are not among its records. */
class NameComDomain extends RecordZone<NameComRecord> {
  constructor(name: string) {
    super(name, RULES)
  }

  post(body: unknown): NameComRecord {
    return this.put(this.#read(++lastId, body))
  }

  /** The whole record: what is not said gets its default. */
  update(id: string, body: unknown): NameComRecord {
    this.get(id)
    return this.put(this.#read(Number(id), body))
  }

  #read(id: number, body: unknown): NameComRecord {
    if (!isBody(body)) throw failure(400, 'Bad Request', 'the body must be an object')
    const { type, ttl = MIN_TTL, priority = 0 }: Body = body
    const host = body['host'] === '@' ? '' : (body['host'] ?? '')
    if (typeof type !== 'string' || !TYPES.has(type))
      throw invalid('Parameter Value Error - Invalid Record Type')
    if (typeof host !== 'string' || (host !== '' && !isLabels(host.toLowerCase())))
      throw invalid('Parameter Value Error - Invalid Host')
    if (!isInteger(ttl, MIN_TTL, MAX_TTL))
      throw invalid(`Parameter Value Error - ttl must be at least ${MIN_TTL}`)
    if (!isInteger(priority, 0, 65_535)) throw invalid('Parameter Value Error - Invalid Priority')
    const answer = answerOf(type, body['answer'])
    if (answer === null) throw invalid('Parameter Value Error - Invalid Answer')
    const fqdn = host === '' ? `${this.name}.` : `${host}.${this.name}.`
    const numbered = type === 'MX' || type === 'SRV'
    return { id, domainName: this.name, host, fqdn, type, answer, ttl, priority: numbered ? priority : 0 }
  }
}

/** As it is kept; null: the type has none such. */
function answerOf(type: string, answer: unknown): string | null {
  if (typeof answer !== 'string' || answer === '') return null
  if (type === 'A' || type === 'AAAA') return isAddress(type, answer) ? answer : null
  if (type === 'TXT') return lengthOf(answer) <= MAX_TEXT ? answer : null
  const numbers = type === 'SRV' ? (/^\d{1,5} \d{1,5} /.exec(answer)?.[0] ?? null) : ''
  if (numbers === null) return null
  const name = answer.slice(numbers.length).replace(/\.$/, '')
  return isTarget(name) ? numbers + name : null
}

/** Of a text that is not in quotes yet, with them. */
const lengthOf = (answer: string): number => {
  const inQuotes = readQuoted(answer) !== null
  return Buffer.byteLength(answer) + (inQuotes ? 0 : 2 + (answer.match(/"/g) ?? []).length)
}

type NameComCall = Call<NameComDomain, { username: string; token: string; readToken: string }>

/** The numbers of the next and of the last page are there only where a next one is; an empty list is not there. */
function page({ query, request, sim }: NameComCall, collection: string, all: object[]): SimulatorAnswer {
  const found = pageOf(all, query, PAGES)
  if (found === null) throw failure(400, 'Bad Request', `perPage must be between 1 and ${PAGES.most}`)
  const items = found.items.length > 0 ? { [collection]: found.items } : {}
  if (found.page >= found.pages) return json(200, items)
  const path = request.path
  const link = (to: number, rel: string) =>
    `<${sim.url}${path}?page=${to}&perPage=${found.size}>; rel="${rel}"`
  return json(
    200,
    { ...items, nextPage: found.page + 1, lastPage: found.pages },
    { link: `${link(found.page + 1, 'next')}, ${link(found.pages, 'last')}` },
  )
}

const domainOf = (name: string) => ({
  domainName: name,
  locked: true,
  autorenewEnabled: true,
  expireDate: '2030-01-01T00:00:00Z',
  createDate: '2020-01-01T00:00:00Z',
})

const basic = (user: string, token: string) => `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}`

/** Writes without this type of content are forbidden. */
const isJson = ({ headers }: SimulatorRequest) =>
  /^application\/json\b/.test(headers['content-type']?.toString() ?? '')

/** Name.com's API v4. Of the real one 20 calls are taken in a second and 3000 in an hour. Domains are made by buying them. */
export default defineDialect({
  path: '/v4',
  keys: () => ({ username: `user-${hexKey(4)}`, token: hexKey(20), readToken: hexKey(20) }),
  newZone: (name) => new NameComDomain(name),
  headers: ({ username, token }) => ({
    authorization: basic(username, token),
    'content-type': 'application/json',
  }),
  authenticate: (request, { username, token, readToken }) => {
    const given = request.headers['authorization']
    if (given !== basic(username, token) && given !== basic(username, readToken)) throw unauthorized
    if (given === basic(username, readToken) && isWrite(request)) throw forbidden
    if ((request.method === 'POST' || request.method === 'PUT') && !isJson(request))
      throw failure(403, 'Forbidden')
  },
  limits: [
    { option: 'burst', seconds: 1, refuse: () => tooMany },
    { option: 'rate', seconds: 3600, refuse: () => tooMany },
  ],
  routes: {
    'GET /hello': ({ sim }) =>
      json(200, {
        serverName: 'simulated',
        motd: 'Hello',
        username: sim.username,
        serverTime: new Date().toISOString(),
      }),
    'GET /domains': (call) => page(call, 'domains', call.sim.zoneNames().map(domainOf)),
    'GET /domains/:zone': ({ zone }) =>
      json(200, {
        ...domainOf(zone.name),
        nameservers: ['ns1abc.name.com', 'ns2def.name.com', 'ns3ghi.name.com', 'ns4jkl.name.com'],
        renewalPrice: 12.99,
      }),
    'GET /domains/:zone/records': (call) => page(call, 'records', call.zone.records.map(shown)),
    'POST /domains/:zone/records': ({ zone, body }) => json(200, shown(zone.post(body))),
    'GET /domains/:zone/records/:id': ({ zone, id }) => json(200, shown(zone.get(id))),
    'PUT /domains/:zone/records/:id': ({ zone, id, body }) => json(200, shown(zone.update(id, body))),
    'DELETE /domains/:zone/records/:id': ({ zone, id }) => {
      zone.delete(id)
      return json(200, {})
    },
  },
  errors: {
    noRoute: notFound,
    notAllowed: failure(405, 'Method Not Allowed'),
    badJson: failure(400, 'Bad Request', 'the body is not JSON'),
  },
  suite: {
    credentials: ({ username, token }) => ({ username, apiToken: token }),
    secret: 'apiToken',
    wrong: '7f3a'.repeat(10),
    seed: (domain, records) => {
      for (const { name, type, value, ttl } of records) {
        const { content, priority = 0 } = splitContent(type, value)
        const answer = type === 'TXT' ? typeOf('TXT').write(value) : content
        domain.post({ host: atAsEmpty(name), type, answer, ttl: ttl ?? MIN_TTL, priority })
      }
    },
    held: (domain) =>
      domain.added.map(({ host, type, answer, ttl, priority }) => ({
        name: emptyAsAt(host),
        type,
        ttl,
        rdata: type === 'TXT' ? rdataOfEither(answer) : joinContent(type, answer, priority, domain.name),
      })),
    faults: {
      unauthorized,
      forbidden,
      rateLimited: tooMany,
      failure: failure(500, 'Internal Server Error'),
      refused: invalid,
    },
  },
})
