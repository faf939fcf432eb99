import { randomUUID } from 'node:crypto'
import { readQuoted } from '../../../dns/text/text.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json, type Body } from './answers.ts'
import { MAX_TTL, hexKey, isData, isInteger, isLabels, isPort, textKey } from './checks.ts'
import { defineDialect } from './dialect.ts'
import { joinContent, rdataOfText, splitContent, withZone, withoutZone } from './rdata.ts'
import { RecordZone } from './record-zone.ts'

interface IonosRecord {
  id: string
  /** With the zone's, without the final dot. */
  name: string
  rootName: string
  type: string
  /** Names without the final dot; of SRV `weight port target`; text in quotes. */
  content: string
  changeDate: string
  /** Seconds. */
  ttl: number
  /** Of MX and SRV; of others 0. */
  prio: number
  disabled: boolean
}

const TYPES = new Set('A AAAA CNAME MX NS SOA SRV TXT CAA TLSA SSHFP DS'.split(' '))
const NAME_SERVERS = ['ns1045.ui-dns.de', 'ns1102.ui-dns.com']
const MIN_TTL = 60
const DEFAULT_TTL = 3600

/** All errors are lists. */
const failure = (status: number, code: string, message?: string, parameters?: Body) =>
  new Refused(json(status, [{ code, ...(message && { message }), ...(parameters && { parameters }) }]))
const invalid = (errorRecord: Body, ...invalidFields: string[]) =>
  failure(400, 'INVALID_RECORD', 'Record is invalid.', { invalidFields, errorRecord })

const RULES = {
  id: 'id',
  name: 'name',
  type: 'type',
  missing: () => failure(404, 'RECORD_NOT_FOUND', 'Record does not exist.'),
  clash: (record: IonosRecord) => invalid({ ...record }, 'type'),
} as const

class IonosZone extends RecordZone<IonosRecord> {
  readonly id = randomUUID()

  constructor(name: string) {
    const own = (type: string, content: string): IonosRecord => ({
      id: randomUUID(),
      name,
      rootName: name,
      type,
      content,
      changeDate: new Date().toISOString(),
      ttl: 86_400,
      prio: 0,
      disabled: false,
    })
    const soa = `${NAME_SERVERS[0]} hostmaster.1und1.com 2017060112 28800 7200 604800 600`
    super(name, RULES, [own('SOA', soa), ...NAME_SERVERS.map((content) => own('NS', content))])
  }

  /** Makes all of them. One that is there already is refused. */
  create(bodies: unknown): IonosRecord[] {
    return this.atOnce(() => {
      const made = new Set(this.#judgeAll(bodies).map((record) => this.put(record).id))
      return this.records.filter(({ id }) => made.has(id))
    })
  }

  /** All records of the names and types of these are these. */
  patch(bodies: unknown): void {
    const sets = new Set(this.#judgeAll(bodies).map(({ name, type }) => `${name} ${type}`))
    this.#replace(bodies, ({ name, type }) => sets.has(`${name} ${type}`))
  }

  /** All records of the zone, but IONOS' own, are these. */
  replace(bodies: unknown): void {
    this.#replace(bodies, (record) => !this.#isOwn(record))
  }

  #replace(bodies: unknown, isGone: (record: IonosRecord) => boolean): void {
    this.atOnce(() => {
      const wanted = this.#judgeAll(bodies)
      for (const { id } of this.records.filter(isGone)) super.delete(id)
      for (const record of wanted) this.put(record)
    })
  }

  /** Its name and type stay, and what the body does not say. */
  update(id: string, body: unknown): IonosRecord {
    const old = this.#changeable(id)
    if (!isBody(body)) throw invalid({}, 'content')
    const { content, ttl, prio, disabled } = { ...old, ...body }
    return this.put(this.#judge({ ...old, content, ttl, prio, disabled }, id))
  }

  override delete(id: string): void {
    super.delete(this.#changeable(id).id)
  }

  #changeable(id: string): IonosRecord {
    const record = this.get(id)
    if (this.#isOwn(record)) throw invalid({ ...record }, 'type')
    return record
  }

  #isOwn({ name, type }: Pick<IonosRecord, 'name' | 'type'>): boolean {
    return type === 'SOA' || (type === 'NS' && name === this.name)
  }

  #judgeAll(bodies: unknown): IonosRecord[] {
    if (!Array.isArray(bodies) || bodies.length === 0) throw invalid({}, 'name')
    return bodies.map((body: unknown) => this.#judge(isBody(body) ? body : {}, randomUUID()))
  }

  #judge(body: Body, id: string): IonosRecord {
    const { type, content, ttl = DEFAULT_TTL, prio = 0, disabled = false } = body
    const name = typeof body['name'] === 'string' ? body['name'].toLowerCase() : ''
    // A name that is relative to the zone is none.
    const isInZone = name === this.name || name.endsWith(`.${this.name}`)
    if (!isInZone || !isLabels(name)) throw invalid(body, 'name')
    if (typeof type !== 'string' || !TYPES.has(type) || this.#isOwn({ name, type }))
      throw invalid(body, 'type')
    if (!isInteger(ttl, MIN_TTL, MAX_TTL)) throw invalid(body, 'ttl')
    if (!isPort(prio)) throw invalid(body, 'prio')
    if (typeof disabled !== 'boolean') throw invalid(body, 'disabled')
    if (typeof content !== 'string' || content === '') throw invalid(body, 'content')
    const record = {
      id,
      name,
      rootName: this.name,
      type,
      content: contentOf(type, content),
      changeDate: new Date().toISOString(),
      ttl,
      prio: ['MX', 'SRV'].includes(type) ? prio : 0,
      disabled,
    }
    // A lone dot, of which nothing is left.
    if (/(^| )$/.test(record.content) || !isData(type, rdataOf(record))) throw invalid(body, 'content')
    return record
  }

  /** A set has one TTL: that of the last who said one. */
  override put(record: IonosRecord): IonosRecord {
    const set = this.siblings(record).filter(({ type }) => type === record.type)
    if (set.some(({ content, prio }) => content === record.content && prio === record.prio))
      throw failure(400, 'RECORD_ALREADY_EXISTS', 'Record already exists.')
    const held = super.put(record)
    for (const each of set) this.hold({ ...each, ttl: record.ttl })
    return held
  }
}

/** As it is shown: text in quotes, however it was sent. Whether a lone dot is taken for a name is not documented: no. */
function contentOf(type: string, content: string): string {
  if (type === 'TXT') return readQuoted(content) === null ? rdataOfText(content) : content
  return ['CNAME', 'MX', 'NS', 'SRV'].includes(type) ? content.replace(/\.$/, '') : content
}

/** The data as a master file has it. */
const rdataOf = ({ type, content, prio }: IonosRecord): string =>
  type === 'TXT' ? content : joinContent(type, content, prio)

const unauthorized = failure(401, 'UNAUTHORIZED', 'The customer is not authorized to do this operation.')
const tooMany = failure(429, 'TOO_MANY_REQUESTS', 'Too many requests.')
const shown = ({ id, name }: IonosZone) => ({ name, id, type: 'NATIVE' })

/** Names are asked for with the zone's; one that is relative is refused. */
function found(query: URLSearchParams, zone: IonosZone) {
  const [name, type, suffix] = ['recordName', 'recordType', 'suffix'].map((key) => query.get(key))
  const isInZone = (wanted: string) => wanted === zone.name || wanted.endsWith(`.${zone.name}`)
  const names = name?.toLowerCase().split(',')
  if (names?.some((one) => !isInZone(one)) === true) throw invalid({ name }, 'recordName')
  return zone.records.filter(
    (record) =>
      (names === undefined || names.includes(record.name)) &&
      (type?.split(',').includes(record.type) ?? true) &&
      record.name.endsWith(suffix ?? ''),
  )
}

/** The DNS API of IONOS for developers. Zones come and go with the domains of the account. */
export default defineDialect({
  path: '/dns/v1',
  keys: () => ({ apiKey: `${hexKey(16)}.${textKey(32)}` }),
  newZone: (name) => new IonosZone(name),
  headers: ({ apiKey }) => ({ 'x-api-key': apiKey }),
  authenticate: ({ headers }, { apiKey }) => {
    if (headers['x-api-key'] !== apiKey) throw unauthorized
  },
  zoneKey: ({ id }) => id,
  limits: [{ option: 'rate', seconds: 3600, refuse: () => tooMany }],
  routes: {
    'GET /zones': ({ zones }) => json(200, zones.map(shown)),
    'GET /zones/:zone': ({ zone, query }) => json(200, { ...shown(zone), records: found(query, zone) }),
    'PATCH /zones/:zone': ({ zone, body }) => {
      zone.patch(body)
      return { status: 200 }
    },
    'PUT /zones/:zone': ({ zone, body }) => {
      zone.replace(body)
      return { status: 200 }
    },
    'POST /zones/:zone/records': ({ zone, body }) => json(201, zone.create(body)),
    'GET /zones/:zone/records/:id': ({ zone, id }) => json(200, zone.get(id)),
    'PUT /zones/:zone/records/:id': ({ zone, id, body }) => json(200, zone.update(id, body)),
    'DELETE /zones/:zone/records/:id': ({ zone, id }) => {
      zone.delete(id)
      return { status: 200 }
    },
  },
  errors: {
    noRoute: { status: 404 },
    noZone: failure(404, 'ZONE_NOT_FOUND', 'Zone does not exist.'),
    badJson: invalid({}, 'name'),
  },
  suite: {
    credentials: ({ apiKey }) => ({ apiKey }),
    secret: 'apiKey',
    wrong: `${'7f3a'.repeat(8)}.${'7f3a'.repeat(10)}`,
    missingZone: { id: '00000000-0000-4000-8000-000000000000', name: 'missing.test' },
    seed: (zone, records) => {
      for (const { name, type, value, ttl, member } of records) {
        const { content, priority: prio = 0 } = splitContent(type, value)
        const data = type === 'TXT' ? { content: typeOf('TXT').write(value) } : { content, prio }
        const disabled = member.disabled ?? false
        zone.create([{ ...data, name: withZone(name, zone.name), type, ttl, disabled }])
      }
    },
    held: (zone) =>
      zone.added.map((record) => ({
        ...record,
        name: withoutZone(record.name, zone.name),
        rdata: rdataOf(record),
      })),
    faults: {
      unauthorized,
      forbidden: failure(403, 'FORBIDDEN', 'The customer is not allowed to do this operation.'),
      rateLimited: tooMany,
      // Without words.
      failure: failure(500, 'INTERNAL_SERVER_ERROR'),
      refused: (reason) => invalid({ content: reason }, 'content'),
    },
  },
})
