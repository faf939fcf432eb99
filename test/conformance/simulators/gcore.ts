import { unescapeBytes } from '../../../dns/text/strings.ts'
import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import { Refused, isBody, json, type Body } from './answers.ts'
import { hexKey, isData, isInteger, isLabels, isTarget, isZoneName } from './checks.ts'
import { defineDialect } from './dialect.ts'
import { dotted, ENDS_IN_NAME, rdataOfEither, splitData, withoutZone, withZone } from './rdata.ts'
import { RRsetZone } from './rrset-zone.ts'
import { isWrite, type SimulatorAnswer } from './server.ts'

type Word = string | number

interface GcoreRecord {
  id: number
  /** The words of the data; numbers as numbers, a text as one word. */
  content: Word[]
  enabled: boolean
  meta: Body
}

interface GcoreRRset {
  /** The whole name, without the final dot. */
  name: string
  type: string
  /** Seconds. */
  ttl: number
  filter_set_id: null
  resource_records: GcoreRecord[]
  /** How answers are picked. */
  filters: unknown[]
  meta: Body
}

const TYPES = new Set('A AAAA CAA CNAME DS HTTPS MX NS PTR SRV SVCB TXT'.split(' '))
const MIN_TTL = 60
const MAX_TTL = 2_147_483_647
const DEFAULT_TTL = 3600
const NAME_SERVERS = ['ns1.gcorelabs.net', 'ns2.gcdn.services']
const PAGES = { size: 100, most: 1000 }

const failure = (status: number, error: string) => new Refused(json(status, { error }))
const invalid = (error: string) => failure(400, error)
const unauthorized = failure(401, 'invalid authorization token')
const forbidden = failure(403, 'access denied')
const tooMany = failure(429, 'too many requests')
const noZone = failure(404, 'zone is not found')
const noRecord = failure(404, 'record is not found')
const done: SimulatorAnswer = json(200, {})

const RULES = {
  name: 'name',
  type: 'type',
  missing: () => noRecord,
  clash: () => invalid('CNAME rrset cannot be created along with other rrsets of the same name'),
} as const

let ids = 4_120

class GcoreZone extends RRsetZone<GcoreRRset> {
  readonly id = ++ids

  constructor(name: string) {
    super(name, RULES, [
      {
        ...blank(name, 'NS'),
        resource_records: NAME_SERVERS.map((server) => recordOf([server])),
      },
    ])
  }

  post(name: string, type: string, body: unknown): GcoreRRset {
    if (this.read(name, type) !== null) throw invalid('rrset already exists')
    return this.put(this.#judge(name, type, body))
  }

  /** The whole set; one that is not there is made. */
  replace(name: string, type: string, body: unknown): GcoreRRset {
    return this.put(this.#judge(name, type, body))
  }

  remove(name: string, type: string): void {
    if (!this.delete(name, type)) throw noRecord
  }

  #judge(name: string, type: string, body: unknown): GcoreRRset {
    if (!isBody(body)) throw invalid('invalid request body')
    if (!TYPES.has(type)) throw invalid(`unsupported type ${type}`)
    const relative = withoutZone(name, this.name)
    if (name !== this.name && (relative === name || !isLabels(relative)))
      throw invalid('rrset name is not in the zone')
    const { ttl = DEFAULT_TTL, resource_records: records, filters = [], meta = {} } = body
    if (!isInteger(ttl, MIN_TTL, MAX_TTL)) throw invalid(`ttl must be at least ${MIN_TTL}`)
    if (!Array.isArray(records) || records.length === 0) throw invalid('resource_records must not be empty')
    if (!Array.isArray(filters) || !isBody(meta)) throw invalid('invalid filters')
    if (type === 'CNAME' && records.length > 1 && filters.length === 0)
      throw invalid('CNAME rrset must have one record')
    const read = records.map((record: unknown) => readRecord(type, record))
    return { ...blank(name, type), ttl, resource_records: read, filters, meta }
  }
}

const blank = (name: string, type: string): GcoreRRset => ({
  name,
  type,
  ttl: DEFAULT_TTL,
  filter_set_id: null,
  resource_records: [],
  filters: [],
  meta: {},
})

const recordOf = (content: Word[], enabled = true, meta: Body = {}): GcoreRecord => ({
  id: ++ids,
  content,
  enabled,
  meta,
})

const isWord = (word: unknown): word is Word => typeof word === 'string' || typeof word === 'number'

function readRecord(type: string, record: unknown): GcoreRecord {
  const content = isBody(record) ? record['content'] : null
  if (!isBody(record) || !Array.isArray(content) || !content.every(isWord))
    throw invalid('invalid content of resource record')
  const words = ENDS_IN_NAME.has(type)
    ? [...content.slice(0, -1), String(content.at(-1)).replace(/(.)\.$/, '$1')]
    : content
  if (!isValid(type, words)) throw invalid(`invalid content of ${type}: ${JSON.stringify(content)}`)
  const { enabled = true, meta } = record
  return recordOf(words, enabled !== false, isBody(meta) ? meta : {})
}

function isValid(type: string, words: Word[]): boolean {
  if (type === 'TXT') return words.length === 1 && words[0] !== ''
  if (ENDS_IN_NAME.has(type) && words.at(-1) !== '.' && !isTarget(String(words.at(-1)))) return false
  if ((type === 'MX' || type === 'SRV') && !words.slice(0, -1).every((word) => isInteger(word, 0, 65_535)))
    return false
  if (type === 'CAA' && words.length !== 3) return false
  return isData(type, rdataOf(type, words))
}

/** As a master file has it; a text may also be held in quotes. */
function rdataOf(type: string, words: Word[]): string {
  if (type === 'TXT') return rdataOfEither(String(words[0]))
  if (type === 'CAA') return `${words[0]} ${words[1]} "${words[2]}"`
  return dotted(type, words.join(' '))
}

/** The words for a canonical value. */
function wordsOf(type: RecordType, value: string): Word[] {
  if (type === 'TXT') return [splitData(type, value).data]
  const words = typeOf(type).write(value).split(' ')
  const isNumbered = type === 'MX' || type === 'SRV'
  if (type === 'CAA') {
    const text = unescapeBytes(words.slice(2).join(' ').slice(1, -1))?.toString() ?? ''
    return [Number(words[0]), words[1] ?? '', text]
  }
  return isNumbered ? [...words.slice(0, -1).map(Number), words.at(-1) ?? ''] : words
}

/** By `limit` and `offset`, with the number of all. */
function page(query: URLSearchParams, collection: string, all: unknown[]): SimulatorAnswer {
  const [limit, offset] = [Number(query.get('limit') ?? PAGES.size), Number(query.get('offset') ?? 0)]
  if (!isInteger(limit, 1, PAGES.most) || !isInteger(offset, 0, MAX_TTL))
    throw invalid('invalid limit or offset')
  return json(200, { [collection]: all.slice(offset, offset + limit), total_amount: all.length })
}

const shown = ({ id, name }: GcoreZone) => ({
  id,
  name,
  nx_ttl: 300,
  retry: 3600,
  refresh: 5400,
  expiry: 1_209_600,
  contact: `support@${name}`,
  serial: 1_700_000_000,
  primary_server: NAME_SERVERS[0],
  status: 'active',
  enabled: true,
  dnssec_enabled: false,
})

/** Gcore's DNS API v2. A permanent token authenticates, with a scheme of its own. */
export default defineDialect({
  path: '/dns/v2',
  keys: () => ({ token: `7711$${hexKey(40)}`, readToken: `7712$${hexKey(40)}` }),
  newZone: (name) => new GcoreZone(name),
  headers: ({ token }) => ({ authorization: `APIKey ${token}` }),
  authenticate: (request, { token, readToken }) => {
    const given = request.headers['authorization']
    if (given !== `APIKey ${token}` && given !== `APIKey ${readToken}`) throw unauthorized
    if (given === `APIKey ${readToken}` && isWrite(request)) throw forbidden
  },
  limits: [{ option: 'rate', seconds: 60, refuse: () => tooMany }],
  routes: {
    'GET /zones': ({ zones, query }) => {
      const names = query.getAll('name')
      const wanted = zones.filter(({ name }) => names.length === 0 || names.includes(name))
      return page(query, 'zones', wanted.map(shown))
    },
    'POST /zones': ({ body, sim }) => {
      const name = isBody(body) ? body['name'] : undefined
      if (!isZoneName(name)) throw invalid('invalid zone name')
      if (sim.zones.has(name)) throw failure(409, 'zone already exists')
      return json(200, { id: sim.createZone(name).id, warnings: [] })
    },
    'GET /zones/:zone': ({ zone }) => json(200, shown(zone)),
    'DELETE /zones/:zone': ({ zone, sim }) => {
      sim.deleteZone(zone.name)
      return done
    },
    'GET /zones/:zone/rrsets': ({ zone, query }) => page(query, 'rrsets', zone.rrsets),
    'GET /zones/:zone/:name/:type': ({ zone, params: { name = '', type = '' } }) =>
      json(200, zone.get(name, type)),
    'POST /zones/:zone/:name/:type': ({ zone, body, params: { name = '', type = '' } }) =>
      json(200, zone.post(name, type, body)),
    'PUT /zones/:zone/:name/:type': ({ zone, body, params: { name = '', type = '' } }) =>
      json(200, zone.replace(name, type, body)),
    'DELETE /zones/:zone/:name/:type': ({ zone, params: { name = '', type = '' } }) => {
      zone.remove(name, type)
      return done
    },
  },
  errors: {
    noRoute: failure(404, 'not found'),
    noZone,
    notAllowed: failure(405, 'method not allowed'),
    badJson: invalid('invalid request body'),
  },
  suite: {
    credentials: ({ token }) => ({ apiToken: token }),
    secret: 'apiToken',
    wrong: `7711$${'7f3a'.repeat(20)}`,
    seedSets: (zone, rrsets) => {
      for (const { name, type, ttl, members } of rrsets) {
        const records = members.map(({ value }) => ({ content: wordsOf(type, value) }))
        zone.replace(withZone(name, zone.name), type, { ttl: ttl ?? DEFAULT_TTL, resource_records: records })
      }
    },
    held: (zone) =>
      zone.added.flatMap(({ name, type, ttl, resource_records: records }) =>
        records.map(({ content, enabled }) => ({
          name: name === zone.name ? '@' : withoutZone(name, zone.name),
          type,
          ttl,
          rdata: rdataOf(type, content),
          ...(!enabled && { disabled: true }),
        })),
      ),
    faults: {
      unauthorized,
      forbidden,
      rateLimited: tooMany,
      failure: failure(500, 'internal server error'),
      refused: invalid,
    },
  },
})
