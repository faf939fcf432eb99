import { typeOf } from '../../../dns/types/index.ts'
import { CallRate, Refused, isBody, json } from './answers.ts'
import { hexKey } from './checks.ts'
import { ALLOW, DesecDomain, detail, nonField, type DesecRRset, type Method } from './desec-domain.ts'
import { defineDialect, type Call } from './dialect.ts'
import { atAsEmpty, emptyAsAt } from './rdata.ts'
import type { SimulatorAnswer, SimulatorRequest } from './server.ts'

const PAGE = 500
const CHALLENGE = { 'www-authenticate': 'Token' }
const UNAVAILABLE = 'This domain name conflicts with an existing domain, or is disallowed by policy.'
const KEY = {
  dnskey: '257 3 13 mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ==',
  ds: ['55648 13 2 b4c8c1fe2e7477127b27115656ad6256f424625bf5c1e2770ce6d6e37df61d17'],
  flags: 257,
  keytype: 'csk',
}
const ACCOUNT = {
  created: '2019-10-16T18:09:17.715702Z',
  email: 'user@example.com',
  id: '9ab16e5c-805d-4ab1-9030-af3f5a541d47',
  limit_domains: 15,
  outreach_preference: false,
}

const invalidToken = detail(401, 'Invalid token.', CHALLENGE)
const notFound = detail(404, 'Not found.')
const throttled = (seconds: number) =>
  detail(429, `Request was throttled. Expected available in ${seconds} seconds.`, {
    'retry-after': String(seconds),
  })
const gone: SimulatorAnswer = { status: 204, headers: ALLOW }

const shown = (domain: DesecDomain, keys: object = {}) => ({
  created: domain.created,
  published: domain.touched,
  touched: domain.touched,
  name: domain.name,
  minimum_ttl: domain.minimumTtl,
  ...keys,
})

/** All in one answer, where they are not more than 500; else by cursors. */
function page(request: SimulatorRequest, all: unknown[]): SimulatorAnswer {
  const link = (cursor: string, rel: string) => {
    const query = new URLSearchParams(request.query)
    query.set('cursor', cursor)
    return `<http://${String(request.headers.host)}${request.path}?${query.toString()}>; rel="${rel}"`
  }
  const cursor = request.query.get('cursor')
  if (cursor === null && all.length <= PAGE) return json(200, all, ALLOW)
  const first = link('', 'first')
  if (cursor === null) {
    const text = `Pagination required. You can query up to ${PAGE} items at a time (${all.length} total). Please use the \`first\` page link (see Link header).`
    throw detail(400, text, { link: first })
  }
  const at = cursor === '' ? 0 : Number(Buffer.from(cursor, 'base64url').toString())
  if (!Number.isInteger(at)) throw detail(404, 'Invalid cursor')
  const cursorOf = (place: number) => Buffer.from(String(place)).toString('base64url')
  const links = [first]
  if (at > 0) links.push(link(at <= PAGE ? '' : cursorOf(at - PAGE), 'prev'))
  if (at + PAGE < all.length) links.push(link(cursorOf(at + PAGE), 'next'))
  return json(200, all.slice(at, at + PAGE), { ...ALLOW, link: links.join(', ') })
}

interface Keys {
  token: string
  /** Writes of each domain. */
  rates: Map<DesecDomain, CallRate[]>
}
type DesecCall = Call<DesecDomain, Keys>

/** Counts a write of the domain. `writes` are [calls, seconds] that are taken. */
function throttle({ zone, sim }: DesecCall): void {
  const { writes = [] } = sim.options as { writes?: [calls: number, seconds: number][] }
  const own = sim.rates.get(zone) ?? writes.map(([calls, seconds]) => new CallRate(calls, seconds))
  sim.rates.set(zone, own)
  const full = own.map((rate) => rate.take()).filter(({ taken }) => !taken)
  if (full.length > 0)
    throw throttled(Math.max(1, ...full.map(({ resetMs }) => Math.ceil((resetMs - Date.now()) / 1000))))
}

/** `@` is the apex here and nowhere else; three dots may stand after the name. */
const placeOf = ({ params: { subname = '', type = '' } }: DesecCall) => ({
  subname: atAsEmpty(subname).replace(/\.\.\.$/, ''),
  type,
})

function one(call: DesecCall): DesecRRset {
  const { subname, type } = placeOf(call)
  return call.zone.get(subname, type)
}

const writeAll = (call: DesecCall): SimulatorAnswer => {
  throttle(call)
  const { body, zone } = call
  const method = call.request.method as Method
  // One alone is made here and changed at its own address.
  if (method !== 'POST' && !Array.isArray(body))
    throw new Refused(json(400, nonField('Expected a list of items but got type "dict".')))
  const written = zone.write(method, body)
  return json(method === 'POST' ? 201 : 200, Array.isArray(body) ? written : written[0], ALLOW)
}

const writeOne = (call: DesecCall): SimulatorAnswer => {
  throttle(call)
  one(call)
  const { body, zone } = call
  const [written] = zone.write(call.request.method as Method, {
    ...(isBody(body) ? body : {}),
    ...placeOf(call),
  })
  return written === undefined ? gone : json(200, written, ALLOW)
}

/**
 * deSEC's API. `writes`: those of records that are taken of one domain, as [calls, seconds]; the real one takes 2/s, 15/min,
 * 100/h, 300/d. `maxDomains`: how many the account may have. Zones are given a `minimumTtl`, as support sets it on demand.
 */
export default defineDialect({
  path: '/api/v1',
  keys: (): Keys => ({ token: `desec-${hexKey(8)}`, rates: new Map() }),
  newZone: (name, given) => new DesecDomain(name, given),
  headers: ({ token }) => ({ authorization: `Token ${token}` }),
  authenticate: ({ headers: { authorization } }, { token }) => {
    if (authorization === undefined)
      throw detail(401, 'Authentication credentials were not provided.', CHALLENGE)
    if (authorization !== `Token ${token}`) throw invalidToken
  },
  // Paths end in a slash, or there is nothing.
  routes: {
    'GET /auth/account/': () => json(200, ACCOUNT),
    'GET /domains/': ({ request, query, zones }) => {
      const qname = query.get('owns_qname')
      // The longest domain that the name is in.
      const owners = zones.filter(({ name }) => qname === name || qname?.endsWith(`.${name}`))
      const found = qname === null ? zones.toReversed() : owners.sort((a, b) => b.name.length - a.name.length)
      return page(
        request,
        found.slice(0, qname === null ? Infinity : 1).map((domain) => shown(domain)),
      )
    },
    'POST /domains/': ({ body, sim }) => {
      const name = isBody(body) ? body['name'] : undefined
      const wrong = (reason: string) => new Refused(json(400, { name: [reason] }))
      if (typeof name !== 'string') throw wrong('This field is required.')
      if (!/^[a-z0-9_][a-z0-9_-]*(\.[a-z0-9_][a-z0-9_-]*)+$/.test(name) || name.length > 191)
        throw wrong('Domain name malformed.')
      if (sim.zones.has(name)) throw wrong(UNAVAILABLE)
      if (sim.zones.size >= Number(sim.options['maxDomains'] ?? Infinity))
        throw detail(403, 'Domain limit exceeded. Please contact support to create additional domains.')
      return json(201, shown(sim.createZone(name), { keys: [KEY] }))
    },
    'GET /domains/:zone/': ({ zone }) => json(200, shown(zone, { keys: [KEY] })),
    'DELETE /domains/:zone/': ({ params, sim }) => {
      sim.deleteZone(params['zone'] ?? '')
      return gone
    },
    'GET /domains/:zone/rrsets/': ({ zone, request, query }) => {
      const [subname, type] = [query.get('subname'), query.get('type')]
      const wanted = zone.rrsets.filter(
        (rrset) => (subname ?? rrset.subname) === rrset.subname && (type ?? rrset.type) === rrset.type,
      )
      return page(request, wanted)
    },
    'POST /domains/:zone/rrsets/': writeAll,
    'PUT /domains/:zone/rrsets/': writeAll,
    'PATCH /domains/:zone/rrsets/': writeAll,
    'GET /domains/:zone/rrsets/:subname/:type/': (call) => json(200, one(call), ALLOW),
    'PUT /domains/:zone/rrsets/:subname/:type/': writeOne,
    'PATCH /domains/:zone/rrsets/:subname/:type/': writeOne,
    'DELETE /domains/:zone/rrsets/:subname/:type/': (call) => {
      throttle(call)
      const { subname, type } = placeOf(call)
      call.zone.delete(subname, type)
      return gone
    },
  },
  errors: {
    noRoute: notFound,
    noZone: detail(404, 'No Domain matches the given query.'),
    notAllowed: detail(405, 'Method not allowed.'),
    badJson: detail(400, 'JSON parse error - Expecting value: line 1 column 1 (char 0)'),
  },
  suite: {
    credentials: ({ token }) => ({ apiToken: token }),
    secret: 'apiToken',
    wrong: 'a-wrong-token-7f3a',
    given: { minimumTtl: 60 },
    seedSets: (domain, rrsets) => {
      const bodies = rrsets.map(({ name, type, ttl, members }) => ({
        subname: atAsEmpty(name),
        type,
        ttl,
        records: members.map(({ value }) => typeOf(type).write(value)),
      }))
      domain.write('PUT', bodies)
    },
    held: (domain) =>
      domain.added.flatMap(({ subname, type, ttl, records }) =>
        records.map((rdata) => ({ name: emptyAsAt(subname), type, ttl, rdata })),
      ),
    foreign: (domain) => {
      domain.write('POST', [
        { subname: 'foreign', type: 'A', ttl: 3600, records: ['192.0.2.1'] },
        { subname: 'foreign', type: 'KX', ttl: 7200, records: ['10 kx.example.net.'] },
        {
          subname: 'cell',
          type: 'DLV',
          ttl: 3600,
          records: ['60485 5 1 2bb183af5f22588179a53b0a98631fad1a292118'],
        },
      ])
      return () =>
        domain.rrsets
          .map(({ subname, type, ttl, records }) =>
            JSON.stringify({ subname, type, ttl, records: records.sort() }),
          )
          .sort()
    },
    faults: {
      unauthorized: invalidToken,
      forbidden: detail(403, 'You do not have permission to perform this action.'),
      rateLimited: throttled(1),
      failure: { status: 500, headers: { 'content-type': 'text/html' }, body: '<h1>Server Error (500)</h1>' },
      refused: (reason) => json(400, [nonField(reason)], ALLOW),
    },
  },
})
