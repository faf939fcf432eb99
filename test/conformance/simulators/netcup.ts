import { randomBytes } from 'node:crypto'
import { CallRate, isBody, json, orRefused, parse, textOf, type Body } from './answers.ts'
import { NetcupZone, failure, invalid } from './netcup-zone.ts'
import { startServer, type SimulatorAnswer, type SimulatorRequest, type SimulatorServer } from './server.ts'

export interface FakeNetcup extends SimulatorServer {
  /** The address of the API, with its query. */
  apiUrl: string
  customerNumber: string
  apiKey: string
  apiPassword: string
  /** Ends all sessions, as 15 minutes without a call do. */
  endSessions(): void
  createZone(name: string, ttl?: number): NetcupZone
  deleteZone(name: string): void
  zoneNames(): string[]
}

const PATH = '/run/webservice/servers/endpoint.php'
const DOMAIN = /^([a-z0-9-]+\.)+[a-z0-9-]{2,}$/

/**
 * netcup's API of the customer control panel over a socket. `rate`: calls that are taken in a minute, of the real one
 * 180. `reseller`: others are not told which domains there are.
 */
export async function startFakeNetcup({ rate = Infinity, reseller = true } = {}): Promise<FakeNetcup> {
  const api = new Api(rate, reseller)
  const server = await startServer(
    (request) => orRefused(() => api.answer(request)),
    ({ body }) => /"action"\s*:\s*"update/.test(body),
  )
  return {
    ...server,
    apiUrl: `${server.url}${PATH}?JSON`,
    customerNumber: api.customerNumber,
    apiKey: api.apiKey,
    apiPassword: api.apiPassword,
    endSessions: () => api.sessions.clear(),
    createZone: (name, ttl) => {
      const zone = new NetcupZone(name, ttl)
      api.zones.set(name, zone)
      return zone
    },
    deleteZone: (name) => void api.zones.delete(name),
    zoneNames: () => [...api.zones.keys()],
  }
}

export const loginFailed = () =>
  failure(4001, 'Login failed', 'The login to the API failed. Please check your input data.')
export const noSession = () =>
  failure(4001, 'Api session id in invalid format', 'The session id is not in a valid format.')
export const tooMany = () =>
  invalid(
    'More than 180 requests per minute. Please wait and retry later. Please contact our customer service to find out if the limitation of requests can be increased.',
  )

const done = (action: string, responsedata: unknown): SimulatorAnswer =>
  json(200, {
    serverrequestid: randomBytes(16).toString('hex'),
    clientrequestid: '',
    action,
    status: 'success',
    statuscode: 2000,
    shortmessage: `${action} successful`,
    longmessage: '',
    responsedata,
  })

class Api {
  readonly zones = new Map<string, NetcupZone>()
  readonly sessions = new Set<string>()
  readonly customerNumber = '123456'
  readonly apiKey = randomBytes(20).toString('base64url')
  readonly apiPassword = randomBytes(20).toString('base64url')
  readonly #rate: CallRate
  readonly #reseller: boolean

  constructor(rate: number, reseller: boolean) {
    this.#rate = new CallRate(rate, 60)
    this.#reseller = reseller
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    if (request.path !== PATH || !request.query.has('JSON')) return { status: 404 }
    if (request.method !== 'POST') return { status: 405 }
    if (!this.#rate.take().taken) throw tooMany()
    const call = parse(request, invalid('Message is empty.').answer)
    const { action, param } = isBody(call) ? call : {}
    if (!isBody(param)) throw invalid('Message is empty.')
    const isCustomer =
      String(param['customernumber']) === this.customerNumber && param['apikey'] === this.apiKey
    if (action === 'login') return this.#login(isCustomer && param['apipassword'] === this.apiPassword)
    const session = textOf(param['apisessionid'])
    if (!isCustomer) throw loginFailed()
    if (!this.sessions.has(session)) throw noSession()
    return this.#act(String(action), param, session)
  }

  #login(isRight: boolean): SimulatorAnswer {
    if (!isRight) throw loginFailed()
    const apisessionid = randomBytes(24).toString('base64url')
    this.sessions.add(apisessionid)
    return done('login', { apisessionid })
  }

  #act(action: string, param: Body, session: string): SimulatorAnswer {
    switch (action) {
      case 'logout':
        this.sessions.delete(session)
        return done(action, '')
      case 'listallDomains':
        if (!this.#reseller)
          throw failure(4020, 'Function not available', 'Only resellers can use it.', action)
        return done(
          action,
          [...this.zones.keys()].map((domainname) => ({ domainname })),
        )
      case 'infoDnsZone':
        return done(action, shown(this.#zone(param, 5014, 'Get DNS zone failed', action)))
      case 'updateDnsZone':
        return this.#updateZone(param)
      case 'infoDnsRecords':
        return this.#records(param)
      case 'updateDnsRecords':
        return this.#update(param)
      default:
        throw invalid('Value in field action does not match requirements of type: action. ')
    }
  }

  #zone({ domainname }: Body, statuscode: number, shortmessage: string, action: string): NetcupZone {
    const name = textOf(domainname)
    if (!DOMAIN.test(name))
      throw invalid('Value in field domainname does not match requirements of type: domainname. ')
    const zone = this.zones.get(name)
    if (zone !== undefined) return zone
    throw failure(statuscode, shortmessage, `The zone ${name} could not be found.`, action)
  }

  /** One without records is answered as one that is not there. */
  #records(param: Body): SimulatorAnswer {
    const action = 'infoDnsRecords'
    const zone = this.#zone(param, 5029, 'Can not get DNS records', action)
    if (zone.records.length === 0)
      throw failure(5029, 'Can not get DNS records', `No DNS records found for zone ${zone.name}.`, action)
    return done(action, { dnsrecords: zone.records })
  }

  /** Answers all that is there then. */
  #update(param: Body): SimulatorAnswer {
    const action = 'updateDnsRecords'
    const zone = this.#zone(param, 5028, 'Update of DNS records failed', action)
    const { dnsrecords } = isBody(param['dnsrecordset']) ? param['dnsrecordset'] : {}
    zone.update(dnsrecords)
    return done(action, { dnsrecords: zone.records })
  }

  #updateZone(param: Body): SimulatorAnswer {
    const action = 'updateDnsZone'
    const zone = this.#zone(param, 5016, 'Update of DNS zone failed', action)
    const ttl = Number(isBody(param['dnszone']) ? param['dnszone']['ttl'] : NaN)
    if (!Number.isInteger(ttl) || ttl < 300)
      throw invalid('Value in field ttl does not match requirements of type: ttl. ')
    zone.ttl = ttl
    return done(action, shown(zone))
  }
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
