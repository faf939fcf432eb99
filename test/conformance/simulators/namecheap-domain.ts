import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused } from './answers.ts'
import { rdataOfText } from './rdata.ts'
import { attributesOf, xml } from './xml.ts'

export interface NamecheapHost {
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
export const document = (command: string, content: string, errors = '<Errors />') => ({
  status: 200,
  headers: { 'content-type': 'text/xml; charset=utf-8' },
  body:
    `<?xml version="1.0" encoding="utf-8"?>\n<ApiResponse Status="${errors === '<Errors />' ? 'OK' : 'ERROR'}" ` +
    `xmlns="http://api.namecheap.com/xml.response">\n  ${errors}\n  <Warnings />\n` +
    `  ${xml('RequestedCommand', command.toLowerCase())}\n  ${content}\n  <Server>PHX01SBAPIEXT01</Server>\n` +
    `  <GMTTimeDifference>--4:00</GMTTimeDifference>\n  <ExecutionTime>0.036</ExecutionTime>\n</ApiResponse>`,
})

export const failure = (Number: number, message: string) =>
  new Refused(document('', '', `<Errors>${xml('Error', message, attributesOf({ Number }))}</Errors>`))
const invalid = (message: string) => failure(2_050_900, message)

const TYPES = new Set('A AAAA ALIAS CAA CNAME FRAME MX MXE NS TXT URL URL301'.split(' '))
export const EMAIL_TYPES = ['NONE', 'MXE', 'MX', 'FWD', 'OX', 'GMAIL']
const ENDS_IN_NAME = new Set(['ALIAS', 'CNAME', 'MX', 'NS'])
const DEFAULT_TTL = 1800
const MIN_TTL = 60
const MAX_TTL = 60_000

let ids = 746_355

/** The hosts of one domain, which are written all at once, with the checks that Namecheap makes. */
export class NamecheapDomain {
  readonly id = ++ids
  readonly name: string
  /** The name servers are Namecheap's; hosts can't be set otherwise. */
  readonly isOurs: boolean
  emailType = 'FWD'
  #hosts: NamecheapHost[] = []

  constructor(name: string, isOurs: boolean) {
    this.name = name
    this.isOurs = isOurs
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
    if (!EMAIL_TYPES.includes(email)) throw invalid('EmailType is invalid')
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

  #judge({
    hostname = '',
    recordtype = '',
    address = '',
    mxpref = '10',
    ttl = String(DEFAULT_TTL),
  }: Record<string, string>) {
    const Name = hostname.toLowerCase()
    const isGoodName = Name === '@' || /^(\*|[a-z0-9_-]{1,63})(\.[a-z0-9_-]{1,63})*$/.test(Name)
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
  const known = readType(Type)
  if (known === null) return Address !== ''
  return Address !== '.' && typeOf(known).read(rdataOf({ Type, Address, MXPref })) !== null
}

/** As a master file has it. */
export function rdataOf({ Type, Address, MXPref }: Data): string {
  if (Type === 'TXT') return rdataOfText(Address)
  return Type === 'MX' ? `${MXPref} ${Address}` : Address
}
