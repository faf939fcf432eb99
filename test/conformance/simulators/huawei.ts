import { randomUUID } from 'node:crypto'
import { absoluteName } from '../../../dns/names/names.ts'
import type { Routing } from '../../../dns/names/rrset.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { delayOf } from '../subjects/subject-jobs.ts'
import { Refused, isBody, json, textOf, type Body } from './answers.ts'
import { MAX_TTL, hexKey, isData, isInteger } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import { ENDS_IN_NAME, withoutZone } from './rdata.ts'
import { RecordZone } from './record-zone.ts'
import type { SimulatorAnswer } from './server.ts'
import { signedBy, type SignatureScheme, type SigningKeys } from './signatures.ts'

interface HuaweiSet {
  id: string
  /** With the final dot. */
  name: string
  type: string
  /** Seconds. */
  ttl: number
  records: string[]
  description: string | null
  line: string
  /** Null: it was made without one, and is the only one of its line; shown as 1. */
  weight: number | null
  /** Then it has no records. */
  alias_target: Body | null
  status: 'ACTIVE' | 'DISABLE' | 'PENDING_CREATE' | 'PENDING_UPDATE' | 'PENDING_DELETE'
  /** Made with the zone. */
  default: boolean
  created: string
  updated: string
}

const failure = (status: number, code: string, message: string) =>
  new Refused(json(status, { code, message }))
const badRequest = (why = '') => failure(400, 'DNS.0002', `Invalid request${why}.`)
const badAttribute = (code: string, name: string) => failure(400, code, `Attribute '${name}' is invalid.`)

const DEFAULT_LINE = 'default_view'
const LINES = new Set([DEFAULT_LINE, 'Dianxin', 'Liantong', 'Yidong', 'Abroad'])
const TYPES = new Set(['A', 'AAAA', 'MX', 'CNAME', 'TXT', 'NS', 'SRV', 'CAA'])
const DEFAULT_TTL = 300
const MAX_WEIGHTED = 20
const NAME_SERVERS = ['ns1.huaweicloud-dns.com.', 'ns1.huaweicloud-dns.cn.']

const newId = () => `ff8080827274${hexKey(10)}`
const now = () => new Date().toISOString().slice(0, -1)

const RULES = {
  id: 'id',
  name: 'name',
  type: 'type',
  line: 'line',
  times: ['created', 'updated'],
  missing: () => failure(404, 'DNS.0313', 'This Record Set does not exist.'),
  clash: ({ name, type, line, weight }: HuaweiSet) =>
    failure(
      400,
      line === DEFAULT_LINE && weight === null ? 'DNS.0312' : 'DNS.0335',
      `Attribute 'name' conflicts with Record Set '${name}' type '${type}' in line '${line}'.`,
    ),
} as const

/** A public zone; its records are sets. */
class HuaweiZone extends RecordZone<HuaweiSet> {
  readonly id = newId()
  readonly email: string
  readonly created = now()
  readonly nameServers = NAME_SERVERS.map((hostname, i) => ({ hostname, priority: i + 1 }))
  /** How often a client asks before a change is done. */
  unfinished = 0

  constructor(name: string, { email = 'hwclouds.cs@huawei.com' }: Body) {
    const at = { status: 'ACTIVE', default: true, created: now(), updated: now() } as const
    const plain = { description: null, line: DEFAULT_LINE, weight: null, alias_target: null }
    const soa = `${NAME_SERVERS[0]} ${textOf(email).replace('@', '.')}. (1 7200 900 1209600 300)`
    super(name, RULES, [
      { id: newId(), name: `${name}.`, type: 'SOA', ttl: 300, records: [soa], ...plain, ...at },
      { id: newId(), name: `${name}.`, type: 'NS', ttl: 172_800, records: NAME_SERVERS, ...plain, ...at },
    ])
    this.email = textOf(email)
  }

  /** The order of a set's records means nothing. */
  override get added(): HuaweiSet[] {
    return super.added.map((set) => ({ ...set, records: set.records.toSorted() }))
  }

  /** The records for a client that asks once more: by then, changes may be done. */
  ask(): HuaweiSet[] {
    const waiting = this.records.filter(({ status }) => status.startsWith('PENDING'))
    if (waiting.length > 0 && this.unfinished-- <= 0)
      for (const set of waiting)
        if (set.status === 'PENDING_DELETE') this.delete(set.id)
        else this.hold({ ...set, status: 'ACTIVE' })
    return this.records
  }

  create(body: unknown): HuaweiSet {
    if (!isBody(body)) throw badRequest()
    const type = textOf(body['type'])
    if (!TYPES.has(type)) throw badAttribute('DNS.0307', 'type')
    const alias = isBody(body['alias_target']) ? body['alias_target'] : null
    return this.put({
      id: newId(),
      name: this.#absolute(body['name']),
      type,
      ttl: ttlOf(body),
      records: alias === null ? recordsOf(type, body) : [],
      description: descriptionOf(body),
      line: lineOf(body),
      weight: weightOf(body, null),
      alias_target: alias,
      status: body['status'] === 'DISABLE' ? 'DISABLE' : 'PENDING_CREATE',
      default: false,
      created: now(),
      updated: now(),
    })
  }

  /** What is left out is as of a new set, except the weight; name, type and line stay in any case. */
  update(id: string, body: unknown): HuaweiSet {
    if (!isBody(body)) throw badRequest()
    const set = this.get(id)
    if (set.type === 'SOA') throw failure(400, 'DNS.0318', 'The SOA record set cannot be changed.')
    return this.put({
      ...set,
      ttl: ttlOf(body),
      records: recordsOf(set.type, body),
      description: descriptionOf(body),
      weight: weightOf(body, set.weight),
      alias_target: null,
      status: set.status === 'DISABLE' ? 'DISABLE' : 'PENDING_UPDATE',
    })
  }

  remove(id: string): HuaweiSet {
    const set: HuaweiSet = { ...this.get(id), status: 'PENDING_DELETE' }
    if (set.default) throw failure(400, 'DNS.0317', 'The default record set cannot be deleted.')
    if (this.unfinished > 0) this.hold(set)
    else this.delete(id)
    return set
  }

  /** Returns it as it waits, even if it is done already. */
  override put(set: HuaweiSet): HuaweiSet {
    const isDone = this.unfinished <= 0 && set.status !== 'DISABLE'
    super.put({ ...set, ...(isDone && { status: 'ACTIVE' }), updated: now() })
    return set
  }

  /** Of a line and type all have a weight, or there is one set. */
  protected override clashes(set: HuaweiSet): boolean {
    const others = this.siblings(set)
    const alike = others.filter(({ type }) => type === set.type)
    const isAlone = set.weight === null || alike.some(({ weight }) => weight === null)
    const hasAlias = [set, ...others].some(({ type }) => type === 'CNAME')
    return (hasAlias && alike.length < others.length) || alike.length >= (isAlone ? 1 : MAX_WEIGHTED)
  }

  /** The final dot may be missing. */
  #absolute(name: unknown): string {
    const plain = textOf(name).toLowerCase().replace(/\.$/, '')
    const isBelow = plain === this.name || plain.endsWith(`.${this.name}`)
    if (!isBelow || !/^(\*\.)?[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*$/.test(plain) || plain.length > 253)
      throw badAttribute('DNS.0304', 'name')
    return `${plain}.`
  }
}

function ttlOf({ ttl }: Body): number {
  const given = ttl ?? DEFAULT_TTL
  if (!isInteger(given, 1, MAX_TTL)) throw failure(400, 'DNS.0319', "Attribute 'ttl' is out of range.")
  return given
}

function lineOf({ line }: Body): string {
  const wanted = textOf(line ?? DEFAULT_LINE)
  if (!LINES.has(wanted)) throw badRequest(': the line does not exist')
  return wanted
}

function weightOf({ weight }: Body, orElse: number | null): number | null {
  const given = weight ?? orElse
  if (given !== null && !isInteger(given, 0, 1000)) throw badRequest(': a weight is from 0 to 1000')
  return given
}

function descriptionOf({ description }: Body): string | null {
  if (textOf(description).length > 255) throw badRequest(': the description is too long')
  return textOf(description) === '' ? null : textOf(description)
}

function recordsOf(type: string, { records }: Body): string[] {
  const texts = Array.isArray(records) ? records.map(textOf) : []
  const isRepeated = new Set(texts).size < texts.length
  const isTooMany = type === 'CNAME' && texts.length > 1
  if (texts.length === 0 || isRepeated || isTooMany || !texts.every((text) => isGood(type, text)))
    throw badAttribute('DNS.0308', 'records')
  return texts
}

/** Names are absolute; in texts no quote and no backslash is taken, however it is escaped. */
function isGood(type: string, text: string): boolean {
  if (type === 'TXT') return /^"[^"\\]{1,255}"( "[^"\\]{1,255}")*$/.test(text)
  return isData(type, text) && (!ENDS_IN_NAME.has(type) || text.endsWith('.'))
}

const MAX_PAGE = 500
const MAX_LINES = 50
const HOST = 'https://dns.myhuaweicloud.com'

/** Of the gateway in front of the service, which has other words. */
const gateway = (status: number, error_code: string, error_msg: string) =>
  new Refused(json(status, { error_code, error_msg, request_id: randomUUID().replaceAll('-', '') }))
const unauthorized = (why = 'verify aksk signature fail') =>
  gateway(401, 'APIGW.0301', `Incorrect IAM authentication information: ${why}`)
const tooMany = gateway(
  429,
  'APIGW.0308',
  'The throttling threshold has been reached: policy user over ratelimit,limit:100,time:1 minute',
)
const noApi = gateway(404, 'APIGW.0101', 'The API does not exist or has not been published')

/** SDK-HMAC-SHA256. */
export const SDK_HMAC: SignatureScheme = {
  algorithm: 'SDK-HMAC-SHA256',
  keyWord: 'Access',
  // Also where it does not in the request.
  path: (path) => (path.endsWith('/') ? path : `${path}/`),
  time: { header: 'x-sdk-date', format: 'compact', maxSkewSeconds: 15 * 60 },
  needed: ['host', 'x-sdk-date'],
  refuse: {
    form: unauthorized('decrypt token fail'),
    key: unauthorized(),
    time: unauthorized('the x-sdk-date is expired'),
    signature: unauthorized(),
    change: failure(403, 'DNS.0013', 'Policy does not allow the operation.'),
  },
}

type HuaweiCall = Call<HuaweiZone, SigningKeys>

/** Links name the service's own host, whichever was called. */
function page<T extends { id: string }>(
  { query, request: { path } }: HuaweiCall,
  key: string,
  all: T[],
  show: (item: T) => object,
): SimulatorAnswer {
  const limit = Number(query.get('limit') ?? MAX_PAGE)
  const offset = Number(query.get('offset') ?? 0)
  const marker = query.get('marker')
  if (!isInteger(limit, 0, MAX_PAGE)) throw failure(400, 'DNS.0006', 'The limit parameter is invalid.')
  if (!isInteger(offset, 0, Infinity)) throw failure(400, 'DNS.0017', 'The offset parameter is invalid.')
  const at = marker === null ? 0 : all.findIndex(({ id }) => id === marker) + 1
  if (marker !== null && at === 0) throw failure(400, 'DNS.0007', 'The marker parameter is invalid.')
  const items = all.slice(at + offset, at + offset + limit)
  const last = items.at(-1)
  const hasMore = last !== undefined && at + offset + limit < all.length
  const next = new URLSearchParams({ limit: String(limit), marker: last?.id ?? '' })
  const links = { self: `${HOST}${path}`, ...(hasMore && { next: `${HOST}${path}?${next.toString()}` }) }
  return json(200, { [key]: items.map(show), links, metadata: { total_count: all.length } })
}

const shown = ({ id, name, email, created, records }: HuaweiZone, status = 'ACTIVE') => ({
  id,
  name: `${name}.`,
  description: null,
  email,
  ttl: 300,
  serial: 1,
  masters: [],
  status,
  pool_id: 'ff80808261568dfe016156c446410001',
  project_id: '5374cb5cb9a1450f947a9ff0b60b0b5f',
  zone_type: 'public',
  created_at: created,
  updated_at: created,
  record_num: records.length,
  links: { self: `${HOST}/v2/zones/${id}` },
})

/** The older version knows no lines and weights, and has other names for the times. */
function shownSet({ id, name }: HuaweiZone, set: HuaweiSet, version = 'v2.1') {
  const { line, weight, alias_target, created, updated, ...rest } = set
  const common = {
    ...rest,
    zone_id: id,
    zone_name: `${name}.`,
    project_id: 'b0293a0756e94bff84b625b9402a6918',
    links: { self: `${HOST}/${version}/zones/${id}/recordsets/${set.id}` },
  }
  if (version === 'v2') return { ...common, create_at: created, update_at: updated }
  const times = { created_at: created, updated_at: updated }
  return { ...common, ...times, line, weight: weight ?? 1, health_check_id: null, alias_target }
}

/** Names are compared in part, unless the request says otherwise. */
function nameMatcher(query: URLSearchParams): (name: string) => boolean {
  const wanted = query.get('name')?.toLowerCase().replace(/\.$/, '') ?? ''
  const isExact = query.get('search_mode') === 'equal'
  return (name) => wanted === '' || (isExact ? name.replace(/\.$/, '') === wanted : name.includes(wanted))
}

function createZone({ body, sim }: HuaweiCall): SimulatorAnswer {
  const given = isBody(body) ? body : {}
  const name = textOf(given['name']).toLowerCase().replace(/\.$/, '')
  if (!/^([a-z0-9_-]+\.)+[a-z0-9-]+$/.test(name)) throw failure(400, 'DNS.0202', 'Invalid zone name.')
  if (sim.zones.has(name)) throw failure(400, 'DNS.0208', `The zone '${name}.' already exists.`)
  const email = textOf(given['email'])
  return json(202, shown(sim.createZone(name, email === '' ? {} : { email }), 'PENDING_CREATE'))
}

const listSets = (version: string) => (call: HuaweiCall) => {
  const { zone, query } = call
  const isNamed = nameMatcher(query)
  const isWanted = (field: string, value: string) => (query.get(field) ?? value) === value
  const wanted = zone
    .ask()
    .filter(
      ({ name, type, status, line }) =>
        isNamed(name) &&
        isWanted('type', type) &&
        isWanted('status', status) &&
        (version === 'v2' || isWanted('line_id', line)),
    )
  return page(call, 'recordsets', wanted, (set) => shownSet(zone, set, version))
}

/** All or none. */
function createOfLines({ zone, body }: HuaweiCall): SimulatorAnswer {
  const { name, type, description, lines } = isBody(body) ? body : {}
  if (!Array.isArray(lines) || lines.length === 0 || lines.length > MAX_LINES) throw badRequest()
  const create = (line: unknown) => zone.create({ ...(isBody(line) ? line : {}), name, type, description })
  const recordsets = zone.atOnce(() => lines.map(create)).map((set) => shownSet(zone, set))
  return json(202, { recordsets, metadata: { total_count: recordsets.length } })
}

/** By line and weight; a set of the default line with the weight 1 has no routing. */
function routingOf({ line, weight }: HuaweiSet): Routing | null {
  if (weight !== null && weight !== 1) return { key: `${line}|${weight}`, line, weight }
  return line === DEFAULT_LINE ? null : { key: line, line }
}

const SETS = '/v2.1/zones/:zone/recordsets'

/** Huawei Cloud DNS. `perMinute`: calls; of the real one about 100. */
export default defineDialect({
  ...signedBy(SDK_HMAC),
  newZone: (name, given) => new HuaweiZone(name, given),
  zoneKey: ({ id }) => id,
  limits: [{ option: 'perMinute', seconds: 60, refuse: () => tooMany }],
  routes: {
    'GET /v2/zones': (call) => {
      const isNamed = nameMatcher(call.query)
      return page(
        call,
        'zones',
        call.zones.filter(({ name }) => isNamed(name)),
        (zone) => shown(zone),
      )
    },
    'POST /v2/zones': createZone,
    'GET /v2/zones/:zone': ({ zone }) => json(200, shown(zone)),
    'DELETE /v2/zones/:zone': ({ zone, sim }) => {
      sim.deleteZone(zone.name)
      return json(202, shown(zone, 'PENDING_DELETE'))
    },
    'GET /v2/zones/:zone/nameservers': ({ zone }) => json(200, { nameservers: zone.nameServers }),
    'GET /v2/zones/:zone/recordsets': listSets('v2'),
    [`GET ${SETS}`]: listSets('v2.1'),
    [`POST ${SETS}`]: ({ zone, body }) => json(202, shownSet(zone, zone.create(body))),
    [`POST ${SETS}/batch/lines`]: createOfLines,
    [`GET ${SETS}/:id`]: ({ zone, id }) => {
      zone.ask()
      return json(200, shownSet(zone, zone.get(id)))
    },
    [`PUT ${SETS}/:id`]: ({ zone, id, body }) => json(202, shownSet(zone, zone.update(id, body))),
    [`DELETE ${SETS}/:id`]: ({ zone, id }) => json(202, shownSet(zone, zone.remove(id))),
  },
  errors: {
    noRoute: noApi,
    notAllowed: noApi,
    noZone: ({ params: { zone = '' } }) => failure(404, 'DNS.0302', `This Zone '${zone}' does not exist.`),
    badJson: badRequest(),
  },
  suite: {
    credentials: ({ keyId, secret }) => ({ accessKey: keyId, secretKey: secret, region: 'cn-north-4' }),
    secret: 'secretKey',
    wrong: '7f3a'.repeat(10),
    missingZone: { id: newId(), name: 'missing.test' },
    seedSets: (zone, rrsets) => {
      const before = zone.records
      for (const { name, type, routing, ttl, members } of rrsets) {
        const body = {
          name: `${absoluteName(name, zone.name)}.`,
          type,
          ttl,
          records: members.map(({ value }) => typeOf(type).write(value)),
          ...(routing && { line: routing.line, weight: routing.weight }),
        }
        const held = before.find(
          (set) => set.name === body.name && set.type === type && routingOf(set)?.key === routing?.key,
        )
        if (held === undefined) zone.create(body)
        else zone.update(held.id, body)
      }
    },
    held: (zone) =>
      zone.added
        .filter(({ status }) => status !== 'PENDING_DELETE')
        .flatMap((set) =>
          set.records.map((rdata) => ({
            name: withoutZone(set.name, zone.name),
            type: set.type,
            ttl: set.ttl,
            rdata,
            routing: routingOf(set),
            disabled: set.status === 'DISABLE',
          })),
        ),
    foreign: (zone) => {
      const made = { type: 'A', ttl: 3600, records: ['192.0.2.1'] }
      zone.create({ ...made, name: `foreign.${zone.name}.`, description: 'do not touch' })
      zone.create({ ...made, name: `paused.${zone.name}.`, status: 'DISABLE' })
      const alias_target = { resource_type: 'LB', resource_domain_name: 'lb.example.net' }
      zone.create({ name: `alias.${zone.name}.`, type: 'A', alias_target })
      return () => zone.lasting
    },
    extra: (zone) => {
      const records = ['192.0.2.1', '192.0.2.2']
      zone.create({ name: `extra.${zone.name}.`, type: 'A', ttl: 3600, records, description: 'of the set' })
      return () => zone.lasting
    },
    faults: {
      unauthorized: SDK_HMAC.refuse.signature,
      forbidden: SDK_HMAC.refuse.change,
      rateLimited: tooMany,
      failure: failure(500, 'DNS.0001', 'Internal error.'),
      refused: (reason) => failure(400, 'DNS.0308', reason),
    },
    more: (_, zone) => ({
      routings: [
        { key: 'Dianxin', line: 'Dianxin' },
        { key: 'default_view|20', line: 'default_view', weight: 20 },
      ],
      delay: delayOf(zone),
    }),
  },
})
