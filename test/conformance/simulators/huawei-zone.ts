import { randomBytes } from 'node:crypto'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json, textOf, type Body } from './answers.ts'

export interface HuaweiSet {
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

export const failure = (status: number, code: string, message: string) =>
  new Refused(json(status, { code, message }))

export const LINES = ['default_view', 'Dianxin', 'Liantong', 'Yidong', 'Abroad']
const TYPES = new Set(['A', 'AAAA', 'MX', 'CNAME', 'TXT', 'NS', 'SRV', 'CAA'])
const DEFAULT_TTL = 300
const MAX_WEIGHTED = 20
const NAME_SERVERS = ['ns1.huaweicloud-dns.com.', 'ns1.huaweicloud-dns.cn.']

export const newId = () => `ff8080827274${randomBytes(10).toString('hex')}`
const now = () => new Date().toISOString().slice(0, -1)

/** One public zone, with the checks that Huawei Cloud makes when it is changed. All methods throw Refused. */
export class HuaweiZone {
  readonly id = newId()
  /** With the final dot. */
  readonly name: string
  readonly email: string
  readonly created = now()
  /** How often it is asked in vain whether a change is done. */
  unfinished = 0
  #sets = new Map<string, HuaweiSet>()

  constructor(name: string, email = 'hwclouds.cs@huawei.com') {
    this.name = name
    this.email = email
    const own = { name, line: 'default_view', weight: null, alias_target: null, default: true }
    const at = { description: null, status: 'ACTIVE', created: this.created, updated: this.created } as const
    const soa = `${NAME_SERVERS[0]} ${email.replace('@', '.')}. (1 7200 900 1209600 300)`
    for (const [type, ttl, records] of [
      ['SOA', 300, [soa]],
      ['NS', 172_800, NAME_SERVERS],
    ] as const) {
      const id = newId()
      this.#sets.set(id, { id, type, ttl, records: [...records], ...own, ...at })
    }
  }

  get nameServers() {
    return NAME_SERVERS.map((hostname, i) => ({ hostname, priority: i + 1 }))
  }

  /** Copies. */
  get sets(): HuaweiSet[] {
    return structuredClone([...this.#sets.values()])
  }

  /** The same, when they are asked for once more: what waits for its end may come to it. */
  ask(): HuaweiSet[] {
    const waiting = [...this.#sets.values()].filter(({ status }) => status.startsWith('PENDING'))
    if (waiting.length > 0 && this.unfinished-- <= 0)
      for (const set of waiting)
        if (set.status === 'PENDING_DELETE') this.#sets.delete(set.id)
        else this.#sets.set(set.id, { ...set, status: 'ACTIVE' })
    return this.sets
  }

  get(id: string): HuaweiSet {
    const found = this.#sets.get(id)
    if (found === undefined) throw failure(404, 'DNS.0313', 'This Record Set does not exist.')
    return structuredClone(found)
  }

  create(body: unknown, { lines = true } = {}): HuaweiSet {
    if (!isBody(body)) throw failure(400, 'DNS.0002', 'Invalid request.')
    const type = textOf(body['type'])
    if (!TYPES.has(type)) throw failure(400, 'DNS.0307', "Attribute 'type' is invalid.")
    const at = now()
    const isOff = body['status'] === 'DISABLE'
    const alias = isBody(body['alias_target']) ? body['alias_target'] : null
    const set: HuaweiSet = {
      id: newId(),
      name: this.#absolute(body['name']),
      type,
      ttl: ttlOf(body['ttl']),
      records: alias === null ? recordsOf(type, body['records']) : [],
      description: descriptionOf(body['description']),
      line: lines ? lineOf(body['line']) : 'default_view',
      weight: lines ? weightOf(body['weight'], null) : null,
      alias_target: alias,
      status: isOff ? 'DISABLE' : 'PENDING_CREATE',
      default: false,
      created: at,
      updated: at,
    }
    return this.#put(set)
  }

  /** What is left out is as of a new set, but name, type and line, which stay in any case, and the weight. */
  update(id: string, body: unknown): HuaweiSet {
    if (!isBody(body)) throw failure(400, 'DNS.0002', 'Invalid request.')
    const set = this.get(id)
    if (set.type === 'SOA') throw failure(400, 'DNS.0318', 'The SOA record set cannot be changed.')
    return this.#put({
      ...set,
      ttl: ttlOf(body['ttl']),
      records: recordsOf(set.type, body['records']),
      description: descriptionOf(body['description']),
      weight: weightOf(body['weight'], set.weight),
      alias_target: null,
      status: set.status === 'DISABLE' ? 'DISABLE' : 'PENDING_UPDATE',
    })
  }

  setStatus(id: string, status: unknown): HuaweiSet {
    if (status !== 'ENABLE' && status !== 'DISABLE') throw failure(400, 'DNS.0002', 'Invalid request.')
    const set: HuaweiSet = { ...this.get(id), status: status === 'ENABLE' ? 'ACTIVE' : 'DISABLE' }
    this.#sets.set(id, set)
    return set
  }

  delete(id: string): HuaweiSet {
    const set: HuaweiSet = { ...this.get(id), status: 'PENDING_DELETE' }
    if (set.default) throw failure(400, 'DNS.0317', 'The default record set cannot be deleted.')
    if (this.unfinished > 0) this.#sets.set(id, set)
    else this.#sets.delete(id)
    return set
  }

  /** All or nothing. */
  atomically<T>(change: () => T): T {
    const before = new Map(this.#sets)
    try {
      return change()
    } catch (error) {
      this.#sets = before
      throw error
    }
  }

  /** The final dot may be missing. */
  #absolute(name: unknown): string {
    const plain = textOf(name).toLowerCase().replace(/\.$/, '')
    const full = `${plain}.`
    const isBelow = full === this.name || full.endsWith(`.${this.name}`)
    const isGood = /^(\*\.)?([a-z0-9_-]{1,63}\.)+$/.test(full)
    if (!isBelow || !isGood || full.length > 254)
      throw failure(400, 'DNS.0304', "Attribute 'name' is invalid.")
    return full
  }

  #put(set: HuaweiSet): HuaweiSet {
    const others = [...this.#sets.values()].filter(
      ({ id, name, line }) => id !== set.id && name === set.name && line === set.line,
    )
    const alike = others.filter(({ type }) => type === set.type)
    // Of a line all have a weight, or there is one.
    const isAlone = set.weight === null || alike.some(({ weight }) => weight === null)
    const inTheWay = others.find(({ type }) =>
      type === set.type ? isAlone || alike.length >= MAX_WEIGHTED : type === 'CNAME' || set.type === 'CNAME',
    )
    if (inTheWay !== undefined)
      throw failure(
        400,
        set.line === 'default_view' && set.weight === null ? 'DNS.0312' : 'DNS.0335',
        `Attribute 'name' conflicts with Record Set '${inTheWay.name}' type '${inTheWay.type}' in line '${inTheWay.line}'.`,
      )
    const isDone = this.unfinished <= 0 && set.status !== 'DISABLE'
    this.#sets.set(set.id, { ...set, ...(isDone && { status: 'ACTIVE' }), updated: now() })
    // Whoever made it is told that it waits.
    return set
  }
}

function ttlOf(ttl: unknown): number {
  if (ttl === undefined || ttl === null) return DEFAULT_TTL
  if (!Number.isInteger(ttl) || Number(ttl) < 1 || Number(ttl) > 2 ** 31 - 1)
    throw failure(400, 'DNS.0319', "Attribute 'ttl' is out of range.")
  return Number(ttl)
}

function lineOf(line: unknown): string {
  const wanted = line ?? 'default_view'
  if (!LINES.includes(textOf(wanted)))
    throw failure(400, 'DNS.0002', 'Invalid request: the line does not exist.')
  return textOf(wanted)
}

function weightOf(weight: unknown, orElse: number | null): number | null {
  if (weight === undefined || weight === null) return orElse
  if (!Number.isInteger(weight) || Number(weight) < 0 || Number(weight) > 1000)
    throw failure(400, 'DNS.0002', 'Invalid request: a weight is from 0 to 1000.')
  return Number(weight)
}

function descriptionOf(text: unknown): string | null {
  if (textOf(text).length > 255)
    throw failure(400, 'DNS.0002', 'Invalid request: the description is too long.')
  return textOf(text) === '' ? null : textOf(text)
}

function recordsOf(type: string, records: unknown): string[] {
  const invalid = failure(400, 'DNS.0308', "Attribute 'records' is invalid.")
  if (!Array.isArray(records) || records.length === 0) throw invalid
  const texts = records.map(textOf)
  if (new Set(texts).size < texts.length || (type === 'CNAME' && texts.length > 1)) throw invalid
  if (!texts.every((text) => isGood(type, text))) throw invalid
  return texts
}

/** Names are absolute; of texts no quote and no backslash is taken, however it is escaped. */
function isGood(type: string, text: string): boolean {
  if (type === 'TXT') return /^"[^"\\]{1,255}"( "[^"\\]{1,255}")*$/.test(text)
  if (ENDS_IN_NAME.has(type) && !text.endsWith('.')) return false
  const known = readType(type)
  return known !== null && typeOf(known).read(text) !== null
}

const ENDS_IN_NAME = new Set(['CNAME', 'MX', 'NS', 'SRV'])
