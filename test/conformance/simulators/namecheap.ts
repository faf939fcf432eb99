import { randomBytes } from 'node:crypto'
import { CallRate, Refused, orRefused } from './answers.ts'
import { NamecheapDomain, document, failure, type NamecheapHost } from './namecheap-domain.ts'
import { startServer, type SimulatorAnswer, type SimulatorRequest, type SimulatorServer } from './server.ts'
import { attributesOf, xml } from './xml.ts'

export interface FakeNamecheap extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  apiUser: string
  apiKey: string
  /** The one address from which calls are taken. */
  clientIp: string
  /** `isOurs`: its name servers are Namecheap's. */
  createDomain(name: string, isOurs?: boolean): NamecheapDomain
  deleteDomain(name: string): void
  domainNames(): string[]
}

const PATH = '/xml.response'
const SET_HOSTS = 'namecheap.domains.dns.sethosts'
/** Whoever sends more of them by GET is beyond what a URL may be. */
const MAX_URL = 8_000

/** Namecheap's API over a socket. `perMinute`: calls that are taken in a minute, of the real one 20. */
export async function startFakeNamecheap({ perMinute = Infinity } = {}): Promise<FakeNamecheap> {
  const api = new Api(perMinute)
  const server = await startServer(
    (request) => orRefused(() => api.answer(request)),
    (request) => paramsOf(request).get('command')?.toLowerCase() === SET_HOSTS,
  )
  const { apiUser, apiKey, clientIp } = api
  return {
    ...server,
    apiUrl: `${server.url}${PATH}`,
    apiUser,
    apiKey,
    clientIp,
    createDomain: (name, isOurs) => api.createDomain(name, isOurs),
    deleteDomain: (name) => void api.domains.delete(name),
    domainNames: () => [...api.domains.keys()],
  }
}

type Params = Map<string, string>

/** Of query and form; names are the same in capitals and small letters. */
function paramsOf({ query, headers, body }: SimulatorRequest): Params {
  const isForm = String(headers['content-type']).startsWith('application/x-www-form-urlencoded')
  const all = [...query, ...(isForm ? new URLSearchParams(body) : [])]
  return new Map(all.map(([name, value]) => [name.toLowerCase(), value]))
}

export const badKey = () => failure(1_011_102, 'API Key is invalid or API access has not been enabled')
export const forbidden = () => failure(1_016_103, 'Parameter UserName is unauthorized')
/** Not by the API itself. */
export const tooMany = () =>
  new Refused({
    status: 405,
    headers: { 'content-type': 'text/html' },
    body: '<html><body>Too many requests</body></html>',
  })
const noDomain = () => failure(2_030_166, 'Domain is invalid')

class Api {
  readonly domains = new Map<string, NamecheapDomain>()
  readonly apiUser = 'recorded'
  readonly apiKey = randomBytes(16).toString('hex')
  readonly clientIp = '192.0.2.1'
  readonly #rate: CallRate

  constructor(perMinute: number) {
    this.#rate = new CallRate(perMinute, 60)
  }

  createDomain(name: string, isOurs = true): NamecheapDomain {
    const domain = new NamecheapDomain(name, isOurs)
    this.domains.set(name, domain)
    return domain
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    if (!this.#rate.take().taken) throw tooMany()
    if (request.path !== PATH) throw new Refused({ status: 404, body: '<html><body>Not Found</body></html>' })
    if (request.target.length > MAX_URL)
      throw new Refused({ status: 414, body: '<html><body>URI Too Long</body></html>' })
    const params = paramsOf(request)
    this.#authorize(params)
    const command = params.get('command') ?? ''
    const handler = this.#handlers[command.toLowerCase()]
    if (handler === undefined) throw failure(1_010_104, 'Parameter Command is invalid')
    const attributes = attributesOf({ Type: command })
    return document(command, `<CommandResponse${attributes}>${handler(params)}</CommandResponse>`)
  }

  #authorize(params: Params): void {
    const missing: [string, number][] = [
      ['ApiUser', 1_010_101],
      ['ApiKey', 1_010_102],
      ['UserName', 1_010_103],
      ['Command', 1_010_104],
      ['ClientIp', 1_010_105],
    ]
    for (const [name, number] of missing)
      if ((params.get(name.toLowerCase()) ?? '') === '') throw failure(number, `Parameter ${name} is missing`)
    if (params.get('apiuser') !== this.apiUser || params.get('apikey') !== this.apiKey) throw badKey()
    const clientIp = params.get('clientip')
    if (clientIp !== this.clientIp) throw failure(1_011_150, `Invalid request IP: ${clientIp}`)
    if (params.get('username') !== this.apiUser) throw forbidden()
  }

  /** By the label that is registered and the suffix below which it is. */
  #domain(params: Params): NamecheapDomain {
    const [sld, tld] = [params.get('sld') ?? '', params.get('tld') ?? '']
    const found = this.domains.get(`${sld}.${tld}`)
    if (found === undefined || sld.includes('.')) throw noDomain()
    return found
  }

  readonly #handlers: Record<string, (params: Params) => string> = {
    'namecheap.domains.getlist': (params) => {
      const [page, size] = [Number(params.get('page') ?? 1), Number(params.get('pagesize') ?? 20)]
      if (!Number.isInteger(page) || page < 1) throw failure(2_011_166, 'Parameter Page is invalid')
      if (!Number.isInteger(size) || size < 10 || size > 100)
        throw failure(2_011_166, 'Parameter PageSize is from 10 to 100')
      // A part of the name.
      const term = params.get('searchterm')?.toLowerCase() ?? ''
      const wanted = [...this.domains.values()].filter(({ name }) => name.includes(term))
      const shown = wanted.slice((page - 1) * size, page * size).map((domain) => listed(domain, this.apiUser))
      const paging = { TotalItems: String(wanted.length), CurrentPage: String(page), PageSize: String(size) }
      return `<DomainGetListResult>${shown.join('')}</DomainGetListResult>${xml('Paging', paging)}`
    },
    'namecheap.domains.getinfo': (params) => {
      const domain = this.domains.get(params.get('domainname')?.toLowerCase() ?? '')
      if (domain === undefined) throw noDomain()
      return info(domain, this.apiUser)
    },
    'namecheap.domains.dns.gethosts': (params) => {
      const { name, emailType, isOurs, hosts } = this.#domain(params)
      const attributes = attributesOf({ Domain: name, EmailType: emailType, IsUsingOurDNS: isOurs })
      return `<DomainDNSGetHostsResult${attributes}>${hosts.map(shownHost).join('')}</DomainDNSGetHostsResult>`
    },
    [SET_HOSTS]: (params) => {
      const domain = this.#domain(params)
      domain.setHosts(hostsOf(params), params.get('emailtype'))
      const attributes = attributesOf({ Domain: domain.name, IsSuccess: true })
      return `<DomainDNSSetHostsResult${attributes}><Warnings /></DomainDNSSetHostsResult>`
    },
  }
}

/** `HostName1`, `RecordType1` and so on, by their numbers. */
function hostsOf(params: Params): Record<string, string>[] {
  const hosts = new Map<number, Record<string, string>>()
  for (const [name, value] of params) {
    const [, field, n] = /^(hostname|recordtype|address|mxpref|ttl)(\d+)$/.exec(name) ?? []
    if (field !== undefined) hosts.set(Number(n), { ...hosts.get(Number(n)), [field]: value })
  }
  return [...hosts].toSorted(([a], [b]) => a - b).map(([, host]) => host)
}

/** Its name is in small letters, other than in the documentation. */
const shownHost = (host: NamecheapHost): string =>
  `<host${attributesOf({
    ...host,
    AssociatedAppTitle: '',
    FriendlyName: '',
    IsActive: true,
    IsDDNSEnabled: false,
  })} />`

const listed = ({ id, name, isOurs }: NamecheapDomain, User: string): string =>
  `<Domain${attributesOf({
    ID: id,
    Name: name,
    User,
    Created: '05/20/2020',
    Expires: '05/20/2027',
    IsExpired: false,
    IsLocked: false,
    AutoRenew: false,
    WhoisGuard: 'ENABLED',
    IsPremium: false,
    IsOurDNS: isOurs,
  })} />`

function info({ id, name, isOurs, emailType, hosts }: NamecheapDomain, OwnerName: string): string {
  const own = { Status: 'Ok', ID: id, DomainName: name, OwnerName, IsOwner: true, IsPremium: false }
  const dns = { ProviderType: isOurs ? 'FREE' : 'CUSTOM', IsUsingOurDNS: isOurs, HostCount: hosts.length }
  const servers = isOurs
    ? ['dns1.registrar-servers.com', 'dns2.registrar-servers.com']
    : ['ns1.example.net', 'ns2.example.net']
  const details = attributesOf({ ...dns, EmailType: emailType, DynamicDNSStatus: false, IsFailover: false })
  return `<DomainGetInfoResult${attributesOf(own)}><DnsDetails${details}>${xml('Nameserver', servers)}</DnsDetails></DomainGetInfoResult>`
}
