import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, json, textOf, type Body } from './answers.ts'
import { joinData } from './rdata.ts'

export interface InwxRecord {
  id: number
  /** With the zone's, without the final dot. */
  name: string
  type: string
  /** Names without the final dot; of SRV `weight port target`; text without quotes. */
  content: string
  /** Seconds. */
  ttl: number
  /** Of MX and SRV. */
  prio: number
  urlRedirectType?: string
}

export const TYPES =
  'A AAAA ALIAS CAA CERT CNAME HINFO HTTPS LOC MX NAPTR NS OPENPGPKEY PTR RP SMIMEA SOA SRV SSHFP SVCB TLSA TXT URI URL'.split(
    ' ',
  )
export const NAME_SERVERS = ['ns.inwx.de', 'ns2.inwx.de', 'ns3.inwx.eu']
/** Of these the content ends in a name, to which INWX puts the final dot itself. */
const ENDS_IN_NAME = new Set(['ALIAS', 'CNAME', 'MX', 'NS', 'PTR', 'SRV'])
const LABELS = /^(\*|[a-z0-9_-]{1,63})(\.[a-z0-9_-]{1,63})*$/
const DEFAULT_TTL = 86_400
const MIN_TTL = 300
const MAX_TTL = 864_000

/** Codes as of EPP (RFC 5730 section 3); whatever went wrong, it is 200. */
const MESSAGES: Record<number, string> = {
  2000: 'Unknown command',
  2001: 'Command syntax error',
  2003: 'Required parameter missing',
  2004: 'Parameter value range error',
  2005: 'Parameter value syntax error',
  2200: 'Authentication error',
  2201: 'Authorization error',
  2302: 'Object exists',
  2303: 'Object does not exist',
  2308: 'Data management policy violation',
  2400: 'Command failed',
}

export const failure = (code: number, reason?: string) =>
  new Refused(json(200, { code, msg: MESSAGES[code], ...(reason && { reasonCode: 'PARAM', reason }) }))
export const invalid = (reason: string) => failure(2005, reason)

let ids = 4_210_337

/** One zone, with the checks that INWX makes when it is changed. All methods throw Refused. */
export class InwxZone {
  readonly roId = ++ids
  readonly name: string
  readonly #records = new Map<number, InwxRecord>()

  constructor(name: string, nameServers: string[] = NAME_SERVERS) {
    this.name = name
    const soa = `${nameServers[0]} hostmaster.inwx.de 2026112201 10800 3600 604800 3600`
    this.hold({ name, type: 'SOA', content: soa, ttl: DEFAULT_TTL, prio: 0 })
    for (const content of nameServers) this.hold({ name, type: 'NS', content, ttl: DEFAULT_TTL, prio: 0 })
  }

  /** Copies. */
  get records(): InwxRecord[] {
    return structuredClone([...this.#records.values()])
  }

  /** Puts a record there without any check. */
  hold(record: Omit<InwxRecord, 'id'>): number {
    this.#records.set(++ids, { id: ids, ...record })
    return ids
  }

  has(id: number): boolean {
    return this.#records.has(id)
  }

  /** Answers its id. */
  create(params: Body): number {
    if (typeof params['type'] !== 'string') throw failure(2003, 'type')
    return this.hold(this.#judge(0, { name: '', ttl: DEFAULT_TTL, prio: 0, ...params }))
  }

  /** What is not said stays. */
  update(id: number, params: Body): void {
    const old = this.#changeable(id)
    this.#records.set(id, { id, ...this.#judge(id, { ...old, ...params }) })
  }

  delete(id: number): void {
    this.#changeable(id)
    this.#records.delete(id)
  }

  #changeable(id: number): InwxRecord {
    const found = this.#records.get(id)
    if (found === undefined) throw failure(2303)
    if (found.type === 'SOA') throw failure(2308, 'SOA')
    return found
  }

  #judge(id: number, params: Body): Omit<InwxRecord, 'id'> {
    const { type, content, ttl, prio } = params
    if (typeof type !== 'string' || !TYPES.includes(type) || type === 'SOA') throw invalid('type')
    if (typeof content !== 'string' || content === '') throw failure(2003, 'content')
    if (!Number.isInteger(ttl) || Number(ttl) < MIN_TTL || Number(ttl) > MAX_TTL) throw failure(2004, 'ttl')
    if (!Number.isInteger(prio) || Number(prio) < 0 || Number(prio) > 65_535) throw failure(2004, 'prio')
    const record = { name: this.#whole(params['name']), type, content, ttl: Number(ttl), prio: Number(prio) }
    const known = readType(type)
    if (known !== null && typeOf(known).read(presentationOf(record)) === null) throw invalid('content')
    if (ENDS_IN_NAME.has(type) && content.endsWith('.')) throw invalid('content')
    if (type === 'TXT' && /`| $/.test(content)) throw invalid('content')
    const others = [...this.#records.values()].filter(
      (other) => other.id !== id && other.name === record.name,
    )
    const isAlone = (other: { type: string }) => other.type === 'CNAME'
    if (others.some(isAlone) || (isAlone(record) && others.length > 0)) throw failure(2308, 'CNAME')
    const isSame = (other: InwxRecord) =>
      other.type === type && other.content === content && other.prio === record.prio
    if (others.some(isSame)) throw failure(2302)
    return record
  }

  /** Taken relative to the zone, and with its name. */
  #whole(given: unknown): string {
    const name = textOf(given).toLowerCase()
    const isWhole = name === this.name || name.endsWith(`.${this.name}`)
    const whole = isWhole ? name : name === '' || name === '@' ? this.name : `${name}.${this.name}`
    if (!LABELS.test(whole)) throw invalid('name')
    return whole
  }
}

/** The data as a master file has it. */
export function presentationOf({
  type,
  content,
  prio,
}: Pick<InwxRecord, 'type' | 'content' | 'prio'>): string {
  const [weight, port, target = ''] = content.split(' ')
  const numbers = { priority: prio, weight: Number(weight), port: Number(port) }
  return joinData(type, { data: type === 'SRV' ? target : content, ...numbers }, '')
}
