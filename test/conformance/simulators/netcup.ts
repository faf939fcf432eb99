import { Refused, isBody, json, textOf, type Body } from './answers.ts'
import { hexKey, isData, isInteger, isLabels, textKey } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import { joinData, splitData } from './rdata.ts'
import { RecordZone } from './record-zone.ts'
import type { SimulatorAnswer } from './server.ts'

interface NetcupRecord {
  id: string
  /** Relative to the zone, `@` for the apex. */
  hostname: string
  type: string
  /** Of MX; of others '0'. */
  priority: string
  /** Names without the final dot; text without quotes; of SRV `priority weight port target`. */
  destination: string
  deleterecord: boolean
  /** Whether it is in force yet. */
  state: 'yes' | 'no' | 'unknown'
}

const TYPES = new Set('A AAAA MX CNAME CAA SRV TXT TLSA NS DS OPENPGPKEY SMIMEA SSHFP'.split(' '))

/** Whatever went wrong, it is 200. */
const failure = (statuscode: number, shortmessage: string, longmessage: string, action = '') =>
  new Refused(
    json(200, {
      serverrequestid: 'YxTr4EzdbJ101T211zR4yzUEMVE',
      clientrequestid: '',
      action,
      status: 'error',
      statuscode,
      shortmessage,
      longmessage,
      responsedata: '',
    }),
  )
const invalid = (longmessage: string) => failure(4013, 'Validation Error.', longmessage)

let ids = 108_124

const RULES = {
  id: 'id',
  name: 'hostname',
  type: 'type',
  missing: (id: string) =>
    failure(
      5028,
      'Update of DNS records failed',
      `Can not update (all) DNS records for zone. The record with id ${id} could not be found.`,
    ),
  clash: () => invalid('A CNAME record can not exist beside other records of the same host.'),
} as const

/** Its own NS are not among its records. */
class NetcupZone extends RecordZone<NetcupRecord> {
  /** Seconds, of all records. */
  ttl: number
  serial = 2_026_112_201

  constructor(name: string, { ttl = 86_400 }: Body) {
    super(name, RULES)
    this.ttl = Number(ttl)
  }

  /** Those with an id are changed or deleted, the others are made; all of that or nothing. Throws Refused. */
  update(bodies: unknown): void {
    if (!Array.isArray(bodies) || bodies.length === 0) throw invalid('Message is empty.')
    this.atOnce(() => {
      for (const body of bodies as unknown[]) this.#change(isBody(body) ? body : {})
    })
    this.serial++
  }

  #change(body: Body): void {
    const given = textOf(body['id'])
    if (given !== '') this.get(given)
    const isGone = body['deleterecord'] === true || body['deleterecord'] === 'true'
    if (isGone && given === '') throw invalid('A record without id can not be deleted.')
    if (isGone) this.delete(given)
    else this.put(judge(given || String(++ids), body))
  }
}

function judge(id: string, body: Body): NetcupRecord {
  const { type, destination } = body
  const hostname = textOf(body['hostname']).toLowerCase()
  if (hostname !== '@' && !isLabels(hostname))
    throw invalid('der Host darf nicht leer sein oder aus Sonderzeichen bestehen')
  if (typeof type !== 'string' || !TYPES.has(type) || (type === 'NS' && hostname === '@'))
    throw invalid('Value in field type does not match requirements of type: dnsrecordtype. ')
  const given = body['priority']
  const priority = typeof given === 'number' ? String(given) : textOf(given) || '0'
  if (!/^\d{1,5}$/.test(priority))
    throw invalid('Value in field priority does not match requirements of type: priority. ')
  if (typeof destination !== 'string' || destination === '')
    throw invalid('Value in field destination does not match requirements of type: destination. ')
  if (type === 'TXT' && /["\\]/.test(destination))
    throw invalid(
      'Please put quotation marks in front of a backslash. The name server automatically sets quotation marks at the beginning and end.',
    )
  const endsInName = ['CNAME', 'MX', 'NS', 'SRV'].includes(type)
  const bare = endsInName ? destination.replace(/\.$/, '') : destination
  const record: NetcupRecord = {
    id,
    hostname,
    type,
    priority: type === 'MX' ? priority : '0',
    destination: bare,
    deleterecord: false,
    state: 'unknown',
  }
  // Of a lone dot nothing is left: whether it is taken for a name is not documented.
  if (!isData(type, rdataOf(record)) || (endsInName && /(^| )$/.test(bare)))
    throw invalid(`The value of ${type} '${destination}' does not match the requirements of its type.`)
  return record
}

/** The data as a master file has it. */
const rdataOf = ({ type, priority, destination }: NetcupRecord): string =>
  type === 'SRV' ? `${destination}.` : joinData(type, { data: destination, priority: Number(priority) }, '')

const DOMAIN = /^([a-z0-9-]+\.)+[a-z0-9-]{2,}$/

const loginFailed = failure(
  4001,
  'Login failed',
  'The login to the API failed. Please check your input data.',
)
const noSession = failure(
  4001,
  'Api session id in invalid format',
  'The session id is not in a valid format.',
)
const tooMany = invalid(
  'More than 180 requests per minute. Please wait and retry later. Please contact our customer service to find out if the limitation of requests can be increased.',
)

const done = (action: string, responsedata: unknown): SimulatorAnswer =>
  json(200, {
    serverrequestid: hexKey(16),
    clientrequestid: '',
    action,
    status: 'success',
    statuscode: 2000,
    shortmessage: `${action} successful`,
    longmessage: '',
    responsedata,
  })

type NetcupCall = Call<NetcupZone, { customerNumber: string; apiKey: string; apiPassword: string }>

function zoneOf({ sim }: NetcupCall, { domainname }: Body, code: number, message: string): NetcupZone {
  const name = textOf(domainname)
  if (!DOMAIN.test(name))
    throw invalid('Value in field domainname does not match requirements of type: domainname. ')
  const zone = sim.zones.get(name)
  if (zone === undefined) throw failure(code, message, `The zone ${name} could not be found.`)
  return zone
}

/** Numbers are texts. */
const shown = ({ name, ttl, serial }: NetcupZone) => ({
  name,
  ttl: String(ttl),
  serial: String(serial),
  refresh: '28800',
  retry: '7200',
  expire: '1209600',
  dnssecstatus: false,
})

const ACTIONS: Record<string, (call: NetcupCall, param: Body) => unknown> = {
  logout: ({ sim }, { apisessionid }) => {
    sim.sessions.delete(textOf(apisessionid))
    return ''
  },
  listallDomains: ({ sim }) => {
    if (sim.options['reseller'] === false)
      throw failure(4020, 'Function not available', 'Only resellers can use it.')
    return sim.zoneNames().map((domainname) => ({ domainname }))
  },
  infoDnsZone: (call, param) => shown(zoneOf(call, param, 5014, 'Get DNS zone failed')),
  updateDnsZone: (call, param) => {
    const zone = zoneOf(call, param, 5016, 'Update of DNS zone failed')
    const ttl = Number(isBody(param['dnszone']) ? param['dnszone']['ttl'] : NaN)
    if (!isInteger(ttl, 300, Infinity))
      throw invalid('Value in field ttl does not match requirements of type: ttl. ')
    zone.ttl = ttl
    return shown(zone)
  },
  // A zone without records is answered as one that is not there.
  infoDnsRecords: (call, param) => {
    const { name, records } = zoneOf(call, param, 5029, 'Can not get DNS records')
    if (records.length === 0)
      throw failure(5029, 'Can not get DNS records', `No DNS records found for zone ${name}.`)
    return { dnsrecords: records }
  },
  // Answers all records that are there then.
  updateDnsRecords: (call, param) => {
    const zone = zoneOf(call, param, 5028, 'Update of DNS records failed')
    const { dnsrecords } = isBody(param['dnsrecordset']) ? param['dnsrecordset'] : {}
    zone.update(dnsrecords)
    return { dnsrecords: zone.records }
  },
}

/**
 * netcup's API of the customer control panel. Of the real one 180 calls are taken in a minute. `reseller`: whether the
 * domains may be listed; default true.
 */
export default defineDialect({
  path: '/run/webservice/servers/endpoint.php?JSON',
  keys: () => ({ customerNumber: '123456', apiKey: textKey(20), apiPassword: textKey(20) }),
  newZone: (name, given) => new NetcupZone(name, given),
  changes: ({ body }) => /"action"\s*:\s*"update/.test(body),
  limits: [{ option: 'rate', seconds: 60, refuse: () => tooMany }],
  routes: {
    'POST /': (call) => {
      const { sim, body } = call
      if (!call.query.has('JSON')) return { status: 404 }
      const { action, param } = isBody(body) ? body : {}
      if (!isBody(param)) throw invalid('Message is empty.')
      const isCustomer =
        String(param['customernumber']) === sim.customerNumber && param['apikey'] === sim.apiKey
      if (!isCustomer) throw loginFailed
      if (action === 'login') {
        if (param['apipassword'] !== sim.apiPassword) throw loginFailed
        const apisessionid = textKey(24)
        sim.sessions.add(apisessionid)
        return done('login', { apisessionid })
      }
      if (!sim.sessions.has(textOf(param['apisessionid']))) throw noSession
      const run = ACTIONS[textOf(action)]
      if (run === undefined)
        throw invalid('Value in field action does not match requirements of type: action. ')
      return done(textOf(action), run(call, param))
    },
  },
  errors: { noRoute: { status: 404 }, badJson: invalid('Message is empty.') },
  suite: {
    credentials: ({ customerNumber, apiKey, apiPassword }) => ({ customerNumber, apiKey, apiPassword }),
    secret: 'apiPassword',
    wrong: '7f3a'.repeat(7),
    given: { ttl: 3600 },
    seed: (zone, records) => {
      const bodies = records.map(({ name, type, value }) => {
        const { data, priority, weight, port } = splitData(type, value)
        const destination = type === 'SRV' ? `${priority} ${weight} ${port} ${data}` : data
        return { hostname: name, type, destination, priority: String(priority ?? 0) }
      })
      if (bodies.length > 0) zone.update(bodies)
    },
    held: (zone) =>
      zone.records.map((record) => ({
        name: record.hostname,
        type: record.type,
        ttl: zone.ttl,
        rdata: rdataOf(record),
      })),
    faults: {
      unauthorized: noSession,
      // What it says itself is not known: as a web server says it.
      forbidden: { status: 403, headers: { 'content-type': 'text/html' }, body: 'Forbidden' },
      rateLimited: tooMany,
      failure: { status: 500, headers: { 'content-type': 'text/html' }, body: 'Internal Server Error' },
      refused: invalid,
    },
  },
})
