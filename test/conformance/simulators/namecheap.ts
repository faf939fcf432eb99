import { bytesOfText } from '../../../dns/text/text.ts'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, type Body } from './answers.ts'
import { hexKey, isData, isInteger, isLabels } from './checks.ts'
import { defineDialect, type Call, type NewRecord } from './dialect.ts'
import { rdataOfText } from './rdata.ts'
import type { SimulatorAnswer, SimulatorRequest } from './server.ts'
import { attributesOf, xml } from './xml.ts'

interface NamecheapHost {
  HostId: number
  /** Relative to the domain, `@` for the apex. */
  Name: string
  Type: string
  /** Names with the final dot. */
  Address: string
  /** Of every host, also where it has no meaning. */
  MXPref: number
  /** Seconds. */
  TTL: number
}

/** An answer like any other: the status is always 200. */
const document = (command: string, content: string, errors = '<Errors />') => ({
  status: 200,
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  body:
    `<?xml version="1.0" encoding="utf-8"?>\n<ApiResponse Status="${errors === '<Errors />' ? 'OK' : 'ERROR'}" ` +
    `xmlns="http://api.namecheap.com/xml.response">\n  ${errors}\n  <Warnings />\n` +
    `  ${xml('RequestedCommand', command.toLowerCase())}\n  ${content}\n  <Server>PHX01SBAPIEXT01</Server>\n` +
    `  <GMTTimeDifference>--4:00</GMTTimeDifference>\n  <ExecutionTime>0.036</ExecutionTime>\n</ApiResponse>`,
})

const failure = (Number: number, message: string) =>
  new Refused(document('', '', `<Errors>${xml('Error', message, attributesOf({ Number }))}</Errors>`))
const invalid = (message: string) => failure(2_050_900, message)

const TYPES = new Set('A AAAA ALIAS CAA CNAME FRAME MX MXE NS TXT URL URL301'.split(' '))
const EMAIL_TYPES = new Set(['NONE', 'MXE', 'MX', 'FWD', 'OX', 'GMAIL'])
const ENDS_IN_NAME = new Set(['ALIAS', 'CNAME', 'MX', 'NS'])
const DEFAULT_TTL = 1800
const MIN_TTL = 60
const MAX_TTL = 60_000

let ids = 746_355

/** The hosts of one domain, which are written all at once, with the checks that Namecheap makes. */
class NamecheapDomain {
  readonly id = ++ids
  readonly name: string
  /** The name servers are Namecheap's; hosts can't be set otherwise. */
  readonly isOurs: boolean
  emailType = 'FWD'
  #hosts: NamecheapHost[] = []

  constructor(name: string, { isOurs = true, parked = false }: Body) {
    this.name = name
    this.isOurs = isOurs === true
    // As of every new domain, by which it is never without a host.
    if (parked === true) this.add([{ hostname: 'parked', recordtype: 'URL', address: `http://www.${name}/` }])
  }

  /** Copies. */
  get hosts(): NamecheapHost[] {
    return structuredClone(this.#hosts)
  }

  /**
   * What isn't said is no more. What stays as it was keeps its id, and what is said twice is there once; `given`: the
   * parameters with the number at their end. Throws Refused.
   */
  setHosts(given: Record<string, string>[], emailType = 'NONE'): void {
    if (!this.isOurs)
      throw failure(2_030_288, 'Cannot complete this command as this domain is not using proper DNS servers')
    const email = emailType.toUpperCase()
    if (!EMAIL_TYPES.has(email)) throw invalid('EmailType is invalid')
    if (given.length === 0) throw invalid('Parameter HostName1 is missing')
    const before = new Map(this.#hosts.map((host) => [keyOf(host), host.HostId]))
    const all = new Map<string, NamecheapHost>()
    for (const host of given) {
      const judged = this.#judge(host)
      const key = keyOf(judged)
      // Those are taken, and come to nothing, where mail goes another way.
      if (judged.Type === 'MX' && email !== 'MX') continue
      if (!all.has(key)) all.set(key, { HostId: before.get(key) ?? ++ids, ...judged })
    }
    const hosts = [...all.values()]
    const alias = hosts.find(({ Type, Name, HostId }) => {
      const others = hosts.filter((other) => other.Name === Name && other.HostId !== HostId)
      return Type === 'CNAME' && others.length > 0
    })
    if (alias !== undefined)
      throw invalid(`The CNAME record of host ${alias.Name} conflicts with other records of this host`)
    this.#hosts = hosts
    this.emailType = email
  }

  /** Adds to the hosts that are there, of which an MX needs its email type. */
  add(more: Record<string, string>[]): void {
    const held = this.#hosts.map(({ Name, Type, Address, MXPref, TTL }) => ({
      hostname: Name,
      recordtype: Type,
      address: Address,
      mxpref: String(MXPref),
      ttl: String(TTL),
    }))
    const hosts = [...held, ...more]
    this.setHosts(hosts, hosts.some(({ recordtype }) => recordtype === 'MX') ? 'MX' : this.emailType)
  }

  #judge({
    hostname = '',
    recordtype = '',
    address = '',
    mxpref = '10',
    ttl = String(DEFAULT_TTL),
  }: Record<string, string>) {
    const Name = hostname.toLowerCase()
    const isGoodName = Name === '@' || isLabels(Name)
    if (!isGoodName || Name.length + this.name.length > 252) throw invalid(`Host name ${hostname} is invalid`)
    const Type = recordtype.toUpperCase()
    if (!TYPES.has(Type)) throw invalid(`Record type ${recordtype} is not supported`)
    if (Type === 'NS' && Name === '@') throw invalid('NS records cannot be set for the domain itself')
    const [MXPref, TTL] = [Number(mxpref), Number(ttl)]
    if (!/^\d{1,5}$/.test(mxpref) || MXPref > 65_535) throw invalid(`MXPref ${mxpref} is invalid`)
    if (!/^\d+$/.test(ttl) || TTL < MIN_TTL || TTL > MAX_TTL)
      throw invalid(`TTL ${ttl} is invalid, it is from ${MIN_TTL} to ${MAX_TTL}`)
    const Address = ENDS_IN_NAME.has(Type) && !address.endsWith('.') ? `${address}.` : address
    if (!isGood({ Type, Address, MXPref }))
      throw invalid(`Address ${address} is invalid for a record of type ${Type}`)
    return { Name, Type, Address, MXPref, TTL }
  }
}

const keyOf = ({ Name, Type, Address, MXPref, TTL }: Omit<NamecheapHost, 'HostId'>): string =>
  [Name, Type, MXPref, TTL, Address].join(' ')

type Data = Pick<NamecheapHost, 'Type' | 'Address' | 'MXPref'>

/** There is no null MX, and no quote in a text. */
function isGood({ Type, Address, MXPref }: Data): boolean {
  if (Type === 'TXT') return Address !== '' && !Address.includes('"')
  if (readType(Type) === null) return Address !== ''
  return Address !== '.' && isData(Type, rdataOf({ Type, Address, MXPref }))
}

/** As a master file has it. */
function rdataOf({ Type, Address, MXPref }: Data): string {
  if (Type === 'TXT') return rdataOfText(Address)
  return Type === 'MX' ? `${MXPref} ${Address}` : Address
}

const SET_HOSTS = 'namecheap.domains.dns.sethosts'
/** Whoever sends more of them by GET is beyond what a URL may be. */
const MAX_URL = 8_000
const USER = 'recorded'

type Params = Map<string, string>
type NamecheapCall = Call<NamecheapDomain, { apiUser: string; apiKey: string; clientIp: string }>

/** Of query and form; names are the same in capitals and small letters. */
function paramsOf({ query, headers, body }: SimulatorRequest): Params {
  const isForm = String(headers['content-type']).startsWith('application/x-www-form-urlencoded')
  const all = [...query, ...(isForm ? new URLSearchParams(body) : [])]
  return new Map(all.map(([name, value]) => [name.toLowerCase(), value]))
}

const badKey = failure(1_011_102, 'API Key is invalid or API access has not been enabled')
const forbidden = failure(1_016_103, 'Parameter UserName is unauthorized')
const page = (status: number, words: string): SimulatorAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><body>${words}</body></html>`,
})
/** Not by the API itself. */
const tooMany = page(405, 'Too many requests')
const noDomain = failure(2_030_166, 'Domain is invalid')

/** The parameters that every call needs, with the errors of those that are missing. */
const NEEDED: [name: string, error: number][] = [
  ['ApiUser', 1_010_101],
  ['ApiKey', 1_010_102],
  ['UserName', 1_010_103],
  ['Command', 1_010_104],
  ['ClientIp', 1_010_105],
]

function answer({ request, sim }: NamecheapCall): SimulatorAnswer {
  if (request.target.length > MAX_URL) return page(414, 'URI Too Long')
  const params = paramsOf(request)
  for (const [name, error] of NEEDED)
    if ((params.get(name.toLowerCase()) ?? '') === '') throw failure(error, `Parameter ${name} is missing`)
  if (params.get('apiuser') !== sim.apiUser || params.get('apikey') !== sim.apiKey) throw badKey
  const clientIp = params.get('clientip')
  if (clientIp !== sim.clientIp) throw failure(1_011_150, `Invalid request IP: ${clientIp}`)
  if (params.get('username') !== sim.apiUser) throw forbidden
  const command = params.get('command') ?? ''
  const run = COMMANDS[command.toLowerCase()]
  if (run === undefined) throw failure(1_010_104, 'Parameter Command is invalid')
  const attributes = attributesOf({ Type: command })
  return document(command, `<CommandResponse${attributes}>${run(sim.zones, params)}</CommandResponse>`)
}

/** By the label that is registered and the suffix below which it is. */
function domainOf(domains: Map<string, NamecheapDomain>, params: Params): NamecheapDomain {
  const [sld, tld] = [params.get('sld') ?? '', params.get('tld') ?? '']
  const found = domains.get(`${sld}.${tld}`)
  if (found === undefined || sld.includes('.')) throw noDomain
  return found
}

const COMMANDS: Record<string, (domains: Map<string, NamecheapDomain>, params: Params) => string> = {
  'namecheap.domains.getlist': (domains, params) => {
    const [at, size] = [Number(params.get('page') ?? 1), Number(params.get('pagesize') ?? 20)]
    if (!isInteger(at, 1, Infinity)) throw failure(2_011_166, 'Parameter Page is invalid')
    if (!isInteger(size, 10, 100)) throw failure(2_011_166, 'Parameter PageSize is from 10 to 100')
    // A part of the name.
    const term = params.get('searchterm')?.toLowerCase() ?? ''
    const wanted = [...domains.values()].filter(({ name }) => name.includes(term))
    const shown = wanted.slice((at - 1) * size, at * size).map(listed)
    const paging = { TotalItems: String(wanted.length), CurrentPage: String(at), PageSize: String(size) }
    return `<DomainGetListResult>${shown.join('')}</DomainGetListResult>${xml('Paging', paging)}`
  },
  'namecheap.domains.getinfo': (domains, params) => {
    const domain = domains.get(params.get('domainname')?.toLowerCase() ?? '')
    if (domain === undefined) throw noDomain
    return info(domain)
  },
  'namecheap.domains.dns.gethosts': (domains, params) => {
    const { name, emailType, isOurs, hosts } = domainOf(domains, params)
    const attributes = attributesOf({ Domain: name, EmailType: emailType, IsUsingOurDNS: isOurs })
    return `<DomainDNSGetHostsResult${attributes}>${hosts.map(shownHost).join('')}</DomainDNSGetHostsResult>`
  },
  [SET_HOSTS]: (domains, params) => {
    const domain = domainOf(domains, params)
    domain.setHosts(hostsOf(params), params.get('emailtype'))
    const attributes = attributesOf({ Domain: domain.name, IsSuccess: true })
    return `<DomainDNSSetHostsResult${attributes}><Warnings /></DomainDNSSetHostsResult>`
  },
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

const HOST = { AssociatedAppTitle: '', FriendlyName: '', IsActive: true, IsDDNSEnabled: false }
const DOMAIN = {
  User: USER,
  Created: '05/20/2020',
  Expires: '05/20/2027',
  IsExpired: false,
  IsLocked: false,
  AutoRenew: false,
  WhoisGuard: 'ENABLED',
  IsPremium: false,
}

/** Its name is in small letters, other than in the documentation. */
const shownHost = (host: NamecheapHost): string => `<host${attributesOf({ ...host, ...HOST })} />`

const listed = ({ id, name, isOurs }: NamecheapDomain): string =>
  `<Domain${attributesOf({ ID: id, Name: name, ...DOMAIN, IsOurDNS: isOurs })} />`

function info({ id, name, isOurs, emailType, hosts }: NamecheapDomain): string {
  const own = { Status: 'Ok', ID: id, DomainName: name, OwnerName: USER, IsOwner: true, IsPremium: false }
  const dns = { ProviderType: isOurs ? 'FREE' : 'CUSTOM', IsUsingOurDNS: isOurs, HostCount: hosts.length }
  const servers = isOurs
    ? ['dns1.registrar-servers.com', 'dns2.registrar-servers.com']
    : ['ns1.example.net', 'ns2.example.net']
  const details = attributesOf({ ...dns, EmailType: emailType, DynamicDNSStatus: false, IsFailover: false })
  return `<DomainGetInfoResult${attributesOf(own)}><DnsDetails${details}>${xml('Nameserver', servers)}</DnsDetails></DomainGetInfoResult>`
}

function hostOf({ name, type, value, ttl }: NewRecord): Record<string, string> {
  const place = { hostname: name, recordtype: type, ttl: String(ttl) }
  if (type === 'TXT') return { ...place, address: bytesOfText(value).toString() }
  const rdata = typeOf(type).write(value)
  const [mxpref = '', address = ''] = rdata.split(/ (.*)/)
  return { ...place, ...(type === 'MX' ? { mxpref, address } : { address: rdata }) }
}

/** Namecheap's API. `perMinute`: calls that are taken, of the real one 20. Domains are given `isOurs`: its name servers. */
export default defineDialect({
  path: '/xml.response',
  // `clientIp`: the one address from which calls are taken.
  keys: () => ({ apiUser: USER, apiKey: hexKey(16), clientIp: '192.0.2.1' }),
  newZone: (name, given) => new NamecheapDomain(name, given),
  changes: (request) => paramsOf(request).get('command')?.toLowerCase() === SET_HOSTS,
  limits: [{ option: 'perMinute', seconds: 60, refuse: () => tooMany }],
  routes: { 'GET /': answer, 'POST /': answer },
  errors: { noRoute: page(404, 'Not Found') },
  suite: {
    credentials: ({ apiUser, apiKey, clientIp }) => ({ apiUser, apiKey, userName: '', clientIp }),
    secret: 'apiKey',
    wrong: '7f3a'.repeat(8),
    given: { parked: true },
    // Below a suffix of two labels.
    zoneName: (n) => `z${n}-conformance.co.uk`,
    seed: (domain, records) => {
      if (records.length > 0) domain.add(records.map(hostOf))
    },
    held: (domain) =>
      domain.hosts.map((host) => ({ name: host.Name, type: host.Type, rdata: rdataOf(host), ttl: host.TTL })),
    foreign: (domain) => {
      const at = { hostname: 'foreign', ttl: '3600' }
      domain.add([
        { ...at, recordtype: 'A', address: '192.0.2.1' },
        { ...at, hostname: 'jump', recordtype: 'URL301', address: 'http://www.example.net/?a=1&b="2"' },
        { ...at, hostname: 'frame', recordtype: 'FRAME', address: 'http://www.example.net/<x>' },
      ])
      const lasting = (host: NamecheapHost) => JSON.stringify({ ...host, HostId: 0 })
      return () => ({ emailType: domain.emailType, hosts: domain.hosts.map(lasting).sort() })
    },
    faults: {
      unauthorized: badKey,
      forbidden,
      rateLimited: tooMany,
      failure: failure(5_050_900, 'Unknown exceptions'),
      refused: (reason) => failure(2_050_900, reason),
    },
  },
})
