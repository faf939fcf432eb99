import { unescapeBytes } from '../../../dns/text/strings.ts'
import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import { Refused, isBody, json, type Body, type CallCount, type CallRate } from './answers.ts'
import { hexKey, isData, isInteger, isLabels, isTarget, isZoneName } from './checks.ts'
import { defineDialect } from './dialect.ts'
import { dotted, ENDS_IN_NAME, rdataOfText, splitData, withoutZone, withZone } from './rdata.ts'
import { RRsetZone } from './rrset-zone.ts'
import { isWrite } from './server.ts'

/** The words of the data in order; numbers as they were sent, names without the final dot. */
interface Ns1Answer {
  id: string
  answer: (string | number)[]
}

interface Ns1Record {
  id: string
  zone: string
  /** The whole name, without the final dot. */
  domain: string
  type: string
  /** Seconds. */
  ttl: number
  answers: Ns1Answer[]
  filters: unknown[]
  meta: Body
  regions: Body
  tier: number
  use_client_subnet: boolean
}

const TYPES = new Set(
  'A AAAA AFSDB ALIAS CAA CERT CNAME DNAME DS HINFO HTTPS MX NAPTR NS PTR RP SPF SRV SSHFP SVCB TLSA TXT URLFWD'.split(
    ' ',
  ),
)
const DEFAULT_TTL = 3600
const MAX_TTL = 2_147_483_647
const NAME_SERVERS = ['dns1.p01.nsone.net', 'dns2.p01.nsone.net', 'dns3.p01.nsone.net', 'dns4.p01.nsone.net']
/** Zones of one answer. */
const PAGE = 2500

const failure = (status: number, message: string, headers: Record<string, string> = {}) =>
  new Refused(json(status, { message }, headers))
const invalid = (reason: string) => failure(400, `Input validation failed: ${reason}`)
const unauthorized = failure(401, 'Unauthorized')
const forbidden = failure(403, 'Forbidden')
const tooMany = (headers: Record<string, string> = {}) => failure(429, 'rate limit exceeded', headers)
const noZone = failure(404, 'zone not found')
const noRecord = failure(404, 'record not found')
const recordExists = failure(400, 'record already exists')
const zoneExists = failure(400, 'invalid: FQDN already exists in the view')

const RULES = {
  name: 'domain',
  type: 'type',
  missing: () => noRecord,
  clash: () => invalid('a CNAME cannot exist beside other records of its domain'),
} as const

const objectId = () => hexKey(12)

/** One zone. Its SOA is not among its records; its NS are, and can be changed. */
class Ns1Zone extends RRsetZone<Ns1Record> {
  readonly id = objectId()
  readonly ttl: number

  constructor(name: string, { ttl }: Body) {
    super(name, RULES, [
      {
        ...recordOf(name, name, 'NS', DEFAULT_TTL),
        answers: NAME_SERVERS.map((server) => ({ id: objectId(), answer: [server] })),
      },
    ])
    this.ttl = typeof ttl === 'number' ? ttl : DEFAULT_TTL
  }

  /** One that is there already is refused. */
  create(domain: string, type: string, body: unknown): Ns1Record {
    if (this.read(domain, type) !== null) throw recordExists
    return this.put(this.#judge(recordOf(this.name, domain, type, this.ttl), body, true))
  }

  /** What the body doesn't say stays. */
  change(domain: string, type: string, body: unknown): Ns1Record {
    return this.put(this.#judge(this.get(domain, type), body, false))
  }

  remove(domain: string, type: string): void {
    if (!this.delete(domain, type)) throw noRecord
  }

  #judge(old: Ns1Record, body: unknown, isNew: boolean): Ns1Record {
    if (!isBody(body)) throw invalid('the body must be an object')
    const { domain, type, zone } = old
    for (const [field, value] of Object.entries({ domain, type, zone }))
      if ((isNew && body[field] === undefined) || (body[field] !== undefined && body[field] !== value))
        throw invalid(`${field} does not match the path`)
    if (!TYPES.has(type)) throw invalid(`unknown record type ${type}`)
    const name = withoutZone(domain, this.name)
    if (domain !== this.name && (name === domain || !isLabels(name)))
      throw invalid('domain is not in the zone')
    const { ttl = old.ttl, answers = old.answers, filters = old.filters } = body
    if (!isInteger(ttl, 1, MAX_TTL)) throw invalid('ttl')
    if (!Array.isArray(answers) || answers.length === 0) throw invalid('answers must not be empty')
    if (!Array.isArray(filters)) throw invalid('filters')
    const read = answers.map((answer: unknown) => this.#answerOf(type, answer))
    if (type === 'CNAME' && read.length > 1 && filters.length === 0) throw invalid('a CNAME has one answer')
    const meta = isBody(body['meta']) ? body['meta'] : old.meta
    return { ...old, ttl, filters, meta, answers: read }
  }

  #answerOf(type: string, given: unknown): Ns1Answer {
    const words = isBody(given) ? given['answer'] : null
    if (!isBody(given) || !Array.isArray(words) || !words.every(isWord))
      throw invalid('answer must be an array')
    const { id } = given
    const answer = ENDS_IN_NAME.has(type) ? words.map(bare) : words
    if (!isValid(type, answer)) throw invalid(`answer ${JSON.stringify(words)} of ${type}`)
    return { ...given, id: typeof id === 'string' ? id : objectId(), answer }
  }
}

const recordOf = (zone: string, domain: string, type: string, ttl: number): Ns1Record => ({
  id: objectId(),
  zone,
  domain,
  type,
  ttl,
  answers: [],
  filters: [],
  meta: {},
  regions: {},
  tier: 1,
  use_client_subnet: true,
})

const isWord = (word: unknown): word is string | number =>
  typeof word === 'string' || typeof word === 'number'

const bare = (word: string | number, at: number, all: unknown[]) =>
  at === all.length - 1 ? String(word).replace(/\.$/, '') : word

/** A TXT is one text, as it is; the server cuts it into strings. */
function isValid(type: string, words: (string | number)[]): boolean {
  if (type === 'TXT' || type === 'SPF') return words.length === 1 && words[0] !== ''
  if (ENDS_IN_NAME.has(type) && !isTarget(String(words.at(-1)))) return false
  if (type === 'CAA') return words.length === 3 && isData(type, rdataOf(type, words))
  return isData(type, rdataOf(type, words)) || type === 'AFSDB' || type === 'URLFWD'
}

/** As a master file has it. */
function rdataOf(type: string, words: (string | number)[]): string {
  if (type === 'TXT') return rdataOfText(String(words[0]))
  if (type === 'CAA') return `${words[0]} ${words[1]} "${words[2]}"`
  return dotted(type, words.join(' '))
}

/** The words for a canonical value. */
function wordsOf(type: RecordType, value: string): (string | number)[] {
  if (type === 'TXT') return [splitData(type, value).data]
  const words = typeOf(type).write(value).split(' ')
  if (type !== 'CAA') return words
  const text = unescapeBytes(words.slice(2).join(' ').slice(1, -1))?.toString() ?? ''
  return [...words.slice(0, 2), text]
}

const settings = ({ id, name, ttl }: Ns1Zone) => ({
  id,
  zone: name,
  ttl,
  nx_ttl: 3600,
  refresh: 43_200,
  retry: 7200,
  expiry: 1_209_600,
  hostmaster: 'hostmaster@nsone.net',
  dns_servers: NAME_SERVERS,
  networks: [0],
  network_pools: ['p01'],
  primary: { enabled: false, secondaries: [] },
  meta: {},
  link: null,
})

/** With its records, of which only short answers are shown. */
const shown = (zone: Ns1Zone) => ({
  ...settings(zone),
  records: zone.rrsets.map(({ id, domain, type, ttl, tier, answers }) => ({
    id,
    domain,
    type,
    ttl,
    tier,
    link: null,
    short_answers: answers.map(({ answer }) => answer.join(' ')),
  })),
})

const limitHeaders = ({ calls }: CallRate, { remaining }: CallCount) => ({
  'x-ratelimit-by': 'customer',
  'x-ratelimit-limit': String(calls),
  'x-ratelimit-period': '300',
  'x-ratelimit-remaining': String(remaining),
})

const LIMIT = { seconds: 300, headers: limitHeaders }
const refuse = (_: number, rate: CallRate) =>
  tooMany(limitHeaders(rate, { taken: false, remaining: 0, resetMs: 0 }))

/** NS1's API v1. A record is all data of one name and type. */
export default defineDialect({
  path: '/v1',
  keys: () => ({ key: hexKey(10), readKey: hexKey(10) }),
  newZone: (name, given) => new Ns1Zone(name, given),
  headers: ({ key }) => ({ 'x-nsone-key': key }),
  authenticate: (request, { key, readKey }) => {
    const given = request.headers['x-nsone-key']
    if (given !== key && given !== readKey) throw unauthorized
    if (given === readKey && isWrite(request)) throw forbidden
  },
  limits: [{ option: 'rate', ...LIMIT, refuse }],
  routes: {
    'GET /zones': ({ zones, query, sim }) => {
      const after = query.get('after') ?? ''
      const sorted = zones.map(settings).sort((a, b) => (a.zone < b.zone ? -1 : 1))
      const rest = sorted.filter(({ zone }) => zone > after)
      const items = rest.slice(0, Number(sim.options['pageSize'] ?? PAGE))
      const more = items.length < rest.length
      const next = `<${sim.apiUrl}/zones?after=${items.at(-1)?.zone ?? ''}>; rel="next"`
      return json(200, items, more ? { link: next } : {})
    },
    'GET /zones/:zone': ({ zone }) => json(200, shown(zone)),
    'PUT /zones/:name': ({ params: { name = '' }, body, sim }) => {
      if (!isBody(body) || body['zone'] !== name) throw invalid('zone does not match the path')
      if (!isZoneName(name)) throw invalid('zone')
      if (sim.zones.has(name)) throw zoneExists
      return json(200, shown(sim.createZone(name, body)))
    },
    'DELETE /zones/:zone': ({ zone, sim }) => {
      sim.deleteZone(zone.name)
      return json(200, {})
    },
    'GET /zones/:zone/:domain/:type': ({ zone, params: { domain = '', type = '' } }) =>
      json(200, zone.get(domain, type)),
    'PUT /zones/:zone/:domain/:type': ({ zone, body, params: { domain = '', type = '' } }) =>
      json(200, zone.create(domain, type, body)),
    'POST /zones/:zone/:domain/:type': ({ zone, body, params: { domain = '', type = '' } }) =>
      json(200, zone.change(domain, type, body)),
    'DELETE /zones/:zone/:domain/:type': ({ zone, params: { domain = '', type = '' } }) => {
      zone.remove(domain, type)
      return json(200, {})
    },
  },
  errors: {
    noRoute: failure(404, 'not found'),
    noZone,
    notAllowed: failure(405, 'method not allowed'),
    badJson: invalid('the body is not JSON'),
  },
  suite: {
    credentials: ({ key }) => ({ apiKey: key }),
    secret: 'apiKey',
    wrong: '7f3a'.repeat(5),
    seedSets: (zone, rrsets) => {
      for (const { name, type, ttl, members } of rrsets) {
        const domain = withZone(name, zone.name)
        const answers = members.map(({ value }) => ({ answer: wordsOf(type, value) }))
        const body = { zone: zone.name, domain, type, ttl: ttl ?? DEFAULT_TTL, answers }
        if (zone.read(domain, type) === null) zone.create(domain, type, body)
        else zone.change(domain, type, body)
      }
    },
    held: (zone) =>
      zone.added.flatMap(({ domain, type, ttl, answers }) =>
        answers.map(({ answer }) => ({
          name: domain === zone.name ? '@' : withoutZone(domain, zone.name),
          type,
          ttl,
          rdata: rdataOf(type, answer),
        })),
      ),
    foreign: (zone) => {
      const put = (type: string, answer: string[]) => {
        const domain = withZone('foreign', zone.name)
        zone.create(domain, type, { zone: zone.name, domain, type, ttl: 3600, answers: [{ answer }] })
      }
      put('A', ['192.0.2.1'])
      put('AFSDB', ['1', 'afs.example.net'])
      put('URLFWD', ['/', 'https://example.net', '302', '2', '0'])
      // An answer that is taken away and put back has a new id.
      const withoutIds = ({ answers, ...record }: Ns1Record) => ({
        ...record,
        id: null,
        answers: answers.map(({ answer }) => answer),
      })
      return () => zone.rrsets.filter(({ domain }) => domain.startsWith('foreign.')).map(withoutIds)
    },
    faults: {
      unauthorized,
      forbidden,
      rateLimited: tooMany(),
      failure: failure(500, 'internal server error'),
      refused: invalid,
    },
  },
})
