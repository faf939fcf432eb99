import { typeOf } from '../../../dns/types/index.ts'
import { Refused, bearerOf, isBody, json, pageOf, rateHeaders, type Body } from './answers.ts'
import { hexKey, isZoneName } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import { HetznerActions, failure, type HetznerAction } from './hetzner-actions.ts'
import { HetznerZone, NAME_SERVERS, invalid, type HetznerRRset } from './hetzner-zone.ts'
import { inZone } from './rdata.ts'
import { isWrite, type SimulatorAnswer } from './server.ts'
import { delayOf } from '../subjects/subject-jobs.ts'

const ZONES = { size: 25, most: 50 }
const RRSETS = { size: 25, most: 100 }

const unauthorized = failure(401, 'unauthorized', 'unable to authenticate')
const readOnly = failure(403, 'token_readonly', 'the token is only allowed to perform GET requests')
const tooMany = failure(429, 'rate_limit_exceeded', 'rate limit of 3600 requests per hour reached')
const badJson = failure(400, 'json_error', 'invalid JSON in the request')

interface Keys {
  token: string
  readToken: string
  actions: HetznerActions
}
type HetznerCall = Call<HetznerZone, Keys>

function bodyOf({ body }: HetznerCall): Body {
  if (!isBody(body)) throw new Refused(badJson.answer)
  return body
}

const accepted = (action: HetznerAction) => json(201, { action })

const look = ({ sim, id }: HetznerCall) => json(200, { action: sim.actions.look(Number(id)) })

const shown = (zone: HetznerZone) => ({
  id: zone.id,
  name: zone.name,
  mode: zone.mode,
  ttl: zone.ttl,
  labels: zone.labels,
  primary_nameservers: [],
  created: zone.created,
  protection: { delete: zone.isProtected },
  status: 'ok',
  authoritative_nameservers: {
    assigned: NAME_SERVERS,
    delegated: NAME_SERVERS,
    delegation_last_check: zone.created,
    delegation_status: 'valid',
  },
  record_count: zone.rrsets.length,
  registrar: 'hetzner',
})

function page(
  { query }: HetznerCall,
  collection: string,
  all: unknown[],
  limits: { size: number; most: number },
): SimulatorAnswer {
  const found = pageOf(all, query, limits)
  if (found === null) throw invalid('per_page', `must be between 1 and ${limits.most}`)
  const { items, page: at, size, pages: last } = found
  const pagination = {
    page: at,
    per_page: size,
    previous_page: at > 1 ? at - 1 : null,
    next_page: at < last ? at + 1 : null,
    last_page: last,
    total_entries: all.length,
  }
  return json(200, { [collection]: items, meta: { pagination } })
}

function createZone(call: HetznerCall): SimulatorAnswer {
  const { name, mode, ttl } = bodyOf(call)
  const { sim } = call
  if (!isZoneName(name)) throw invalid('name', 'is not a valid zone name')
  if (mode !== 'primary' && mode !== 'secondary') throw invalid('mode', 'is required')
  if (sim.zones.has(name))
    throw failure(409, 'uniqueness_error', 'Zone already exists', { fields: [{ name: 'name' }] })
  const zone = sim.createZone(name, { ttl })
  zone.mode = mode
  const action = sim.actions.start('create_zone', zone.id, () => undefined)
  return json(201, { zone: shown(zone), action })
}

type Change =
  | 'setRecords'
  | 'addRecords'
  | 'removeRecords'
  | 'updateRecords'
  | 'changeTtl'
  | 'changeProtection'

/** A handler of an action of one RRset. */
const changing = (command: string, change: Change) => (call: HetznerCall) => {
  const { name = '', type = '' } = call.params
  const { zone } = call
  return accepted(call.sim.actions.start(command, zone.id, zone[change](name, type, bodyOf(call))))
}

const RRSET = '/zones/:zone/rrsets/:name/:type'

/** Hetzner's Cloud API. Of the real one 3600 calls are taken in an hour. */
export default defineDialect({
  path: '/v1',
  keys: (): Keys => ({ token: hexKey(32), readToken: hexKey(32), actions: new HetznerActions() }),
  newZone: (name, { ttl }) => new HetznerZone(name, typeof ttl === 'number' ? ttl : undefined),
  zoneKey: ({ id, name }) => [String(id), name],
  headers: ({ token }) => ({ authorization: `Bearer ${token}` }),
  authenticate: (request, { token, readToken }) => {
    const given = bearerOf(request)
    if (given !== token && given !== readToken) throw unauthorized
    if (given === readToken && isWrite(request)) throw readOnly
  },
  limits: [
    {
      option: 'hourly',
      seconds: 3600,
      usual: 1_000_000,
      refuse: (_, rate) => ({
        ...tooMany.answer,
        headers: rateHeaders(rate, { taken: false, remaining: 0, resetMs: Date.now() }),
      }),
      headers: rateHeaders,
    },
  ],
  routes: {
    'GET /actions/:id': look,
    'GET /zones/actions/:id': look,
    'GET /zones': (call) => {
      const name = call.query.get('name')
      const found = call.zones.filter((zone) => (name ?? zone.name) === zone.name)
      return page(call, 'zones', found.map(shown), ZONES)
    },
    'POST /zones': createZone,
    'GET /zones/:zone': (call) => json(200, { zone: shown(call.zone) }),
    'PUT /zones/:zone': (call) => {
      const { zone } = call
      const { labels } = bodyOf(call)
      if (isBody(labels)) zone.labels = labels as Record<string, string>
      return json(200, { zone: shown(zone) })
    },
    'DELETE /zones/:zone': (call) => {
      const { zone } = call
      if (zone.isProtected) throw failure(423, 'protected', 'Zone is protected against deletion')
      return accepted(call.sim.actions.start('delete_zone', zone.id, () => call.sim.deleteZone(zone.name)))
    },
    'GET /zones/:zone/rrsets': (call) => {
      const [name, types] = [call.query.get('name'), call.query.getAll('type')]
      const wanted = call.zone.rrsets.filter(
        (rrset) => (name ?? rrset.name) === rrset.name && (types.length === 0 || types.includes(rrset.type)),
      )
      return page(call, 'rrsets', wanted, RRSETS)
    },
    'POST /zones/:zone/rrsets': (call) => {
      const { zone } = call
      const { rrset, effect } = zone.create(bodyOf(call))
      return json(201, { rrset, action: call.sim.actions.start('create_rrset', zone.id, effect) })
    },
    [`GET ${RRSET}`]: (call) => {
      const { name = '', type = '' } = call.params
      return json(200, { rrset: call.zone.get(name, type) })
    },
    [`PUT ${RRSET}`]: (call) => {
      const { name = '', type = '' } = call.params
      return json(200, { rrset: call.zone.putLabels(name, type, bodyOf(call)) })
    },
    [`DELETE ${RRSET}`]: (call) => {
      const { name = '', type = '' } = call.params
      const { zone } = call
      return accepted(call.sim.actions.start('delete_rrset', zone.id, zone.deleteRRset(name, type)))
    },
    [`POST ${RRSET}/actions/set_records`]: changing('set_rrset_records', 'setRecords'),
    [`POST ${RRSET}/actions/add_records`]: changing('add_rrset_records', 'addRecords'),
    [`POST ${RRSET}/actions/remove_records`]: changing('remove_rrset_records', 'removeRecords'),
    [`POST ${RRSET}/actions/update_records`]: changing('update_rrset_records', 'updateRecords'),
    [`POST ${RRSET}/actions/change_ttl`]: changing('change_rrset_ttl', 'changeTtl'),
    [`POST ${RRSET}/actions/change_protection`]: changing('change_rrset_protection', 'changeProtection'),
  },
  errors: {
    noRoute: failure(404, 'not_found', 'not found'),
    noZone: failure(404, 'not_found', 'Zone not found'),
    notAllowed: failure(405, 'method_not_allowed', 'method not allowed'),
    badJson,
  },
  suite: {
    credentials: ({ token }) => ({ apiToken: token }),
    secret: 'apiToken',
    wrong: '7f3a'.repeat(16),
    missingZone: { id: '999999999', name: 'missing.test' },
    seedSets: (zone, rrsets) => {
      for (const { name, type, ttl, members } of rrsets) {
        zone.delete(name, type)
        const records = members.map(({ value, comment = '' }) => ({
          value: typeOf(type).write(value),
          comment,
        }))
        zone.create({ name, type, ttl, records }).effect()
      }
    },
    held: (zone) =>
      zone.added.flatMap(({ name, type, ttl, records }) =>
        records.map(({ value, comment }) => ({
          name,
          type,
          ttl,
          comment,
          rdata: inZone(type, value, zone.name),
        })),
      ),
    extra: (zone) => {
      const records = ['192.0.2.1', '192.0.2.2'].map((value) => ({ value }))
      zone.create({ name: 'extra', type: 'A', ttl: 3600, labels: { owner: 'somebody' }, records }).effect()
      return () => zone.rrsets.map(lasting).sort()
    },
    faults: {
      unauthorized,
      forbidden: readOnly,
      rateLimited: tooMany,
      failure: failure(500, 'server_error', 'error within the API backend'),
      refused: (reason) => invalid('records', reason),
    },
    more: (_subject, _zone, sim) => ({ delay: delayOf(sim.actions) }),
  },
})

/** The order of a set's records means nothing. */
const lasting = ({ records, ...rest }: HetznerRRset): string =>
  JSON.stringify({ ...rest, records: records.map((record) => JSON.stringify(record)).sort() })
