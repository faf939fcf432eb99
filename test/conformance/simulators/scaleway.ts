import { randomUUID } from 'node:crypto'
import { readQuoted } from '../../../dns/text/text.ts'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json, pageOf, textOf, type Body } from './answers.ts'
import { MAX_TTL, isData, isInteger, isLabels, isPort, isZoneName } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import { delayOf } from '../subjects/subject-jobs.ts'
import { emptyAsAt, inZone, rdataOfText } from './rdata.ts'
import { isWrite, type SimulatorAnswer } from './server.ts'

interface ScalewayRecord {
  id: string
  /** As a master file has it, that of MX with its priority. */
  data: string
  /** Relative to the zone, '' for the apex. */
  name: string
  /** Of MX; of others 0. */
  priority: number
  /** Seconds. */
  ttl: number
  type: string
  comment: string | null
  geo_ip_config?: unknown
  http_service_config?: unknown
  weighted_config?: unknown
  view_config?: unknown
}

const TYPES = new Set(
  'A AAAA CNAME TXT SRV TLSA MX NS PTR CAA ALIAS LOC SSHFP HINFO RP URI DS NAPTR DNAME SVCB HTTPS'.split(' '),
)
/** By which the answers are made; at most one, and `data` where they say nothing. */
const DYNAMIC = ['geo_ip_config', 'http_service_config', 'weighted_config', 'view_config'] as const
const PROJECT: string = randomUUID()
const NAME_SERVERS = ['ns0.dom.scw.cloud', 'ns1.dom.scw.cloud']
const MIN_TTL = 60
const DEFAULT_TTL = 3600

const failure = (status: number, type: string, message: string, more: Body = {}) =>
  new Refused(json(status, { ...more, message, type }))
const invalid = (argument_name: string, help_message: string) =>
  failure(400, 'invalid_arguments', 'invalid argument(s)', {
    details: [{ argument_name, help_message, reason: 'constraint' }],
  })
const notFound = (resource: string, resource_id: string) =>
  failure(404, 'not_found', 'resource is not found', { resource, resource_id })

/** The domains of all accounts: zones are made below them alone. */
const registered = new Set(['conformance.test', 'example.test'])

function domainOf(name: string): string | undefined {
  const names = name.split('.').map((_, i, labels) => labels.slice(i).join('.'))
  return names.find((each) => registered.has(each))
}

/** One zone, with the checks that Scaleway makes when it is changed. All methods throw Refused. */
class ScalewayZone {
  readonly domain: string
  /** '' where the zone is the domain itself. */
  readonly subdomain: string
  readonly projectId: string
  updatedAt = new Date()
  status: 'active' | 'pending' | 'locked' | 'error' = 'active'
  /** How often it is asked in vain whether changes are in force. */
  unfinished: number
  #records: ScalewayRecord[] = []

  constructor(name: string, { projectId, unfinished = 1 }: Body) {
    this.domain = domainOf(name) ?? name
    this.subdomain = name.slice(0, -this.domain.length - 1)
    this.projectId = String(projectId)
    this.unfinished = Number(unfinished)
    for (const server of NAME_SERVERS) this.hold({ type: 'NS', name: '', data: `${server}.`, ttl: 1800 })
  }

  get name(): string {
    return this.subdomain === '' ? this.domain : `${this.subdomain}.${this.domain}`
  }

  /** Copies, by name. */
  get records(): ScalewayRecord[] {
    return structuredClone(this.#records).sort((a, b) => Number(a.name > b.name) - Number(a.name < b.name))
  }

  /** Puts a record there without any check. */
  hold(record: Pick<ScalewayRecord, 'type' | 'name' | 'data' | 'ttl'>): void {
    this.#records.push({ id: randomUUID(), priority: 0, comment: null, ...record })
  }

  /** All changes, in order, or none of them. Answers the records that were made. */
  patch(changes: unknown): ScalewayRecord[] {
    if (!Array.isArray(changes) || changes.length === 0) throw invalid('changes', 'must not be empty')
    if (this.status === 'locked') throw failure(409, 'transient_state', 'resource is in a transient state')
    const before = [...this.#records]
    try {
      const made = changes.flatMap((change: unknown) => this.#change(change))
      this.updatedAt = new Date()
      this.status = this.unfinished > 0 ? 'pending' : 'active'
      return structuredClone(made.map((record) => this.#records.find(({ id }) => id === record.id) ?? record))
    } catch (error) {
      this.#records = before
      throw error
    }
  }

  #change(change: unknown): ScalewayRecord[] {
    const [[kind, body] = [], ...more] = Object.entries(isBody(change) ? change : {})
    if (more.length > 0 || !isBody(body)) throw invalid('changes', 'must have one of add, set, delete, clear')
    if (kind === 'add') return this.#add(body['records'])
    if (kind === 'set') {
      this.#take(body, { mayMiss: body['id'] === undefined })
      return this.#add(body['records'])
    }
    if (kind === 'delete') this.#take(body, { mayMiss: false })
    else if (kind === 'clear') this.#records = []
    else throw invalid('changes', 'must have one of add, set, delete, clear')
    return []
  }

  #add(records: unknown): ScalewayRecord[] {
    if (!Array.isArray(records) || records.length === 0) throw invalid('records', 'must not be empty')
    return records.map((body: unknown) => this.#put(this.#judge(isBody(body) ? body : {})))
  }

  /** Takes away what the id, or all that the fields, mean. */
  #take({ id, id_fields }: Body, { mayMiss }: { mayMiss: boolean }): void {
    if ((id === undefined) === (id_fields === undefined)) throw invalid('id', 'one of id and id_fields')
    const { name, type, data, ttl } = isBody(id_fields) ? id_fields : {}
    const isMeant = (record: ScalewayRecord) =>
      id === undefined
        ? record.name === this.#relative(name) &&
          record.type === type &&
          (data === undefined || data === null || this.#dataOf(record.type, data) === record.data) &&
          (ttl ?? record.ttl) === record.ttl
        : record.id === id
    const left = this.#records.filter((record) => !isMeant(record))
    if (left.length === this.#records.length && !mayMiss)
      throw notFound('record', typeof id === 'string' ? id : JSON.stringify(id_fields))
    this.#records = left
  }

  #judge(body: Body): ScalewayRecord {
    const { type, priority = 0, ttl = DEFAULT_TTL, comment = null } = body
    if (typeof type !== 'string' || !TYPES.has(type)) throw invalid('type', 'is not a record type')
    const name = this.#relative(body['name'])
    if (!isInteger(ttl, MIN_TTL, MAX_TTL)) throw invalid('ttl', `must be between ${MIN_TTL} and ${MAX_TTL}`)
    if (!isPort(priority)) throw invalid('priority', 'must be between 0 and 65535')
    if (comment !== null && typeof comment !== 'string') throw invalid('comment', 'must be a text')
    const data = this.#dataOf(type, body['data'], priority)
    const dynamic = DYNAMIC.filter((field) => (body[field] ?? null) !== null)
    if (dynamic.length > 1) throw invalid('dynamic_data', 'at most one')
    return {
      id: randomUUID(),
      data,
      name,
      priority: type === 'MX' ? Number(data.split(' ')[0]) : 0,
      ttl,
      type,
      comment: comment === '' ? null : comment,
      ...Object.fromEntries(dynamic.map((field) => [field, structuredClone(body[field])])),
    }
  }

  /** Text comes bare or in quotes; MX with its priority or without. Names without the final dot are below the zone. */
  #dataOf(type: string, data: unknown, priority = 0): string {
    if (typeof data !== 'string' || data === '') throw invalid('data', 'must not be empty')
    if (type === 'TXT') return readQuoted(data) === null ? rdataOfText(data) : data
    const whole = type === 'MX' && !/^\d+ /.test(data) ? `${priority} ${data}` : data
    const absolute = inZone(type, whole, this.name)
    if (readType(type) !== null && !isData(type, absolute))
      throw invalid('data', `'${data}' is not valid for ${type}`)
    return absolute
  }

  #relative(name: unknown): string {
    if (typeof name !== 'string') throw invalid('name', 'is required')
    const relative = name === '@' ? '' : name.toLowerCase()
    if (relative !== '' && !isLabels(relative)) throw invalid('name', `'${name}' is not valid`)
    return relative
  }

  /** A set has one TTL: that of the last who said one. */
  #put(record: ScalewayRecord): ScalewayRecord {
    const others = this.#records.filter(({ name }) => name === record.name)
    const isAlone = ({ type }: ScalewayRecord) => type === 'CNAME'
    if (isAlone(record) && (record.name === '' || others.length > 0))
      throw invalid('name', 'a CNAME cannot stand beside other records')
    if (others.some(isAlone)) throw invalid('name', 'a CNAME is there')
    const set = others.filter(({ type }) => type === record.type)
    if (set.some(({ data }) => data === record.data)) throw invalid('data', 'record already exists')
    if (set.some(({ ttl }) => ttl !== record.ttl))
      this.#records = this.#records.map((each) => (set.includes(each) ? { ...each, ttl: record.ttl } : each))
    this.#records.push(record)
    return record
  }
}

const PAGES = { size: 20, most: 1000, by: 'page_size' }
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const unauthorized = failure(401, 'denied_authentication', 'authentication is denied', {
  method: 'api_key',
  reason: 'invalid_argument',
})
const forbidden = (action = 'write') =>
  failure(403, 'permissions_denied', 'insufficient permissions', {
    details: [{ resource: 'domain', action }],
  })
const tooMany = failure(429, 'too_many_requests', 'too many requests')

interface Keys extends Record<string, string> {
  secretKey: string
  readKey: string
  projectId: string
}
type ScalewayCall = Call<ScalewayZone, Keys>

const bodyOf = ({ body }: ScalewayCall): Body => (isBody(body) ? body : {})

const shown = ({ domain, subdomain, status, updatedAt, projectId }: ScalewayZone) => ({
  domain,
  subdomain,
  ns: NAME_SERVERS,
  ns_default: NAME_SERVERS,
  ns_master: [],
  status,
  message: null,
  updated_at: updatedAt.toISOString(),
  project_id: projectId,
  linked_products: [],
})

function page({ query }: ScalewayCall, collection: string, all: unknown[]): SimulatorAnswer {
  const found = pageOf(all, query, PAGES)
  if (found === null) throw invalid('page_size', `must be between 1 and ${PAGES.most}`)
  return json(200, { [collection]: found.items, total_count: all.length })
}

/** Of others' domains it says that they are others'. */
function zoneOf({ sim, params: { zone: name = '' } }: ScalewayCall, action?: string): ScalewayZone {
  const zone = sim.zones.get(name)
  if (zone !== undefined) return zone
  throw domainOf(name) === undefined ? forbidden(action) : notFound('dns_zone', name)
}

function list(call: ScalewayCall): SimulatorAnswer {
  const { query, zones } = call
  const project = query.get('project_id') ?? ''
  if (project !== '' && !UUID.test(project)) throw invalid('project_id', 'must be a UUID')
  const names = [...query.getAll('dns_zones'), ...query.getAll('dns_zone')].filter((name) => name !== '')
  const found = zones.filter(
    (zone) =>
      (project || zone.projectId) === zone.projectId &&
      (query.get('domain') || zone.domain) === zone.domain &&
      (names.length === 0 || names.includes(zone.name)),
  )
  const answer = page(call, 'dns_zones', found.map(shown))
  // What was changed is in force some time later.
  for (const zone of found) if (zone.status === 'pending' && --zone.unfinished <= 0) zone.status = 'active'
  return answer
}

function create(call: ScalewayCall): SimulatorAnswer {
  const { domain, subdomain, project_id } = bodyOf(call)
  const { sim } = call
  if (typeof domain !== 'string' || typeof subdomain !== 'string') throw invalid('domain', 'is required')
  if (project_id !== undefined && project_id !== sim.projectId) throw forbidden()
  if (!registered.has(domain)) throw notFound('domain', domain)
  const name = subdomain === '' ? domain : `${subdomain}.${domain}`
  if (!isZoneName(name)) throw invalid('subdomain', 'is not valid')
  if (sim.zones.has(name))
    throw failure(409, 'resource_already_in_use', 'dns zone already exists', { resource: 'dns_zone' })
  return json(200, shown(sim.createZone(name, { projectId: sim.projectId })))
}

/** A zone that is not there is made, unless that is said not to be wanted. */
function patch(call: ScalewayCall): SimulatorAnswer {
  const { sim, params } = call
  const name = params['zone'] ?? ''
  const { changes, disallow_new_zone_creation, return_all_records } = bodyOf(call)
  const isMissing = !sim.zones.has(name) && domainOf(name) !== undefined
  if (isMissing && disallow_new_zone_creation !== true) sim.createZone(name, { projectId: sim.projectId })
  const zone = zoneOf(call)
  const made = zone.patch(changes)
  return json(200, { records: return_all_records === true ? zone.records : made })
}

/** Without a name, which '' is too, all of them. */
function records(call: ScalewayCall): SimulatorAnswer {
  const { query } = call
  const type = query.get('type') ?? 'unknown'
  const wanted = textOf(query.get('name')).toLowerCase()
  const id = textOf(query.get('id'))
  const found = zoneOf(call, 'read').records.filter(
    (record) =>
      (wanted === '' || record.name === wanted.replace(/^@$/, '')) &&
      (type === 'unknown' || record.type === type) &&
      (id === '' || record.id === id),
  )
  return page(call, 'records', found)
}

const add = (zone: ScalewayZone, ...all: object[]) => void zone.patch([{ add: { records: all } }])

/** Without the id, which is another one whenever a record is written. */
const lasting = (all: ScalewayRecord[]) => all.map((record) => JSON.stringify({ ...record, id: '' })).sort()

/**
 * Scaleway's Domains and DNS API v2beta1. How many calls the real one takes is not documented, nor what it says to a record
 * that is there already: it is refused.
 */
export default defineDialect({
  path: '/domain/v2beta1',
  keys: (): Keys => ({ secretKey: randomUUID(), readKey: randomUUID(), projectId: PROJECT }),
  newZone: (name, given) => new ScalewayZone(name, { projectId: PROJECT, ...given }),
  headers: ({ secretKey }) => ({ 'x-auth-token': secretKey }),
  authenticate: (request, { secretKey, readKey }) => {
    const key = request.headers['x-auth-token']
    if (key !== secretKey && key !== readKey) throw unauthorized
    if (key === readKey && isWrite(request)) throw forbidden()
  },
  limits: [{ option: 'rate', seconds: 60, refuse: () => tooMany }],
  routes: {
    'GET /domains': (call) =>
      page(
        call,
        'domains',
        [...registered].map((domain) => ({ domain, project_id: call.sim.projectId, status: 'active' })),
      ),
    'GET /dns-zones': list,
    'POST /dns-zones': create,
    'DELETE /dns-zones/:zone': (call) => {
      const project = call.query.get('project_id')
      if (project !== null && project !== call.sim.projectId) throw forbidden()
      call.sim.deleteZone(zoneOf(call).name)
      return json(200, {})
    },
    'GET /dns-zones/:zone/records': records,
    'PATCH /dns-zones/:zone/records': patch,
    'DELETE /dns-zones/:zone/records': (call) => json(200, { records: zoneOf(call).patch([{ clear: {} }]) }),
  },
  errors: {
    noRoute: { status: 404, body: '404 page not found' },
    notAllowed: { status: 404, body: '404 page not found' },
    badJson: failure(400, 'invalid_request_error', 'invalid JSON body'),
  },
  suite: {
    credentials: ({ secretKey, projectId }) => ({ secretKey, projectId }),
    secret: 'secretKey',
    wrong: '7f3a7f3a-7f3a-4f3a-8f3a-7f3a7f3a7f3a',
    given: { unfinished: 0 },
    seed: (zone, all) => {
      for (const { name, type, value, ttl, member } of all)
        add(zone, { name, type, data: typeOf(type).write(value), ttl, comment: member.comment })
    },
    // Without Scaleway's own.
    held: (zone) =>
      zone.records
        .filter(({ data }) => !NAME_SERVERS.some((server) => data === `${server}.`))
        .map((record) => ({ ...record, name: emptyAsAt(record.name), rdata: record.data })),
    foreign: (zone) => {
      add(zone, { name: 'foreign', type: 'A', data: '192.0.2.1', comment: 'do not touch' })
      // Such things are there from before they were checked.
      zone.hold({ name: 'foreign', type: 'SSHFP', data: '1 1', ttl: 600 })
      zone.hold({ name: 'cell', type: 'NAPTR', data: '', ttl: 600 })
      return () => lasting(zone.records)
    },
    extra: (zone) => {
      const weighted_config = { weighted_ips: [{ ip: '192.0.2.7', weight: 3 }] }
      const matches = [{ countries: ['FR'], continents: ['EU'], data: '192.0.2.8' }]
      const geo_ip_config = { matches, default: '192.0.2.9' }
      add(zone, { name: 'extra', type: 'A', data: '192.0.2.1', weighted_config })
      add(zone, { name: 'extra', type: 'A', data: '192.0.2.2', geo_ip_config })
      return () => lasting(zone.records.filter(({ name }) => name === 'extra'))
    },
    faults: {
      unauthorized,
      forbidden: forbidden(),
      rateLimited: tooMany,
      failure: failure(500, 'internal', 'internal error'),
      refused: (reason) => invalid('data', reason),
    },
    more: (_, zone) => ({ delay: delayOf(zone) }),
  },
})
