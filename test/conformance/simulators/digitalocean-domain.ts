import { isIPv4, isIPv6 } from 'node:net'
import { Refused, isBody, json, type Body } from './answers.ts'

export interface DigitalOceanRecord {
  id: number
  type: string
  /** Relative to the domain, `@` for the apex. */
  name: string
  /** Names without the final dot; `@` for the domain itself, where it was sent so. */
  data: string
  priority: number | null
  port: number | null
  /** Seconds. */
  ttl: number
  weight: number | null
  flags: number | null
  tag: string | null
}

export const TYPES = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SOA', 'SRV', 'TXT']
const DEFAULT_TTL = 1800
const MIN_TTL = 30
const MAX_TEXT = 512
const NAME_SERVERS = ['ns1.digitalocean.com', 'ns2.digitalocean.com', 'ns3.digitalocean.com']

/** What each type must have beside its data. */
const FIELDS: Record<string, readonly ('priority' | 'port' | 'weight' | 'flags' | 'tag')[]> = {
  MX: ['priority'],
  SRV: ['priority', 'port', 'weight'],
  CAA: ['flags', 'tag'],
}

export const unprocessable = (message: string) =>
  new Refused(json(422, { id: 'unprocessable_entity', message }))
export const notFound = () =>
  new Refused(json(404, { id: 'not_found', message: 'The resource you were accessing could not be found.' }))

let ids = 11_189_873

/** One domain, with the checks that DigitalOcean makes when it is changed. All methods throw Refused. */
export class DigitalOceanDomain {
  readonly name: string
  #records = new Map<number, DigitalOceanRecord>()

  constructor(name: string) {
    this.name = name
    const own = { priority: null, port: null, weight: null, flags: null, tag: null, ttl: DEFAULT_TTL }
    this.#put({ id: ++ids, type: 'SOA', name: '@', data: String(DEFAULT_TTL), ...own })
    for (const data of NAME_SERVERS) this.#put({ id: ++ids, type: 'NS', name: '@', data, ...own })
  }

  /** Copies. */
  get records(): DigitalOceanRecord[] {
    return structuredClone([...this.#records.values()])
  }

  get(id: number): DigitalOceanRecord {
    const found = this.#records.get(id)
    if (found === undefined) throw notFound()
    return structuredClone(found)
  }

  /** A record that is there already is made once more. */
  post(body: unknown): DigitalOceanRecord {
    if (!isBody(body)) throw unprocessable('Invalid JSON')
    if (body['type'] === 'SOA') throw unprocessable('SOA records cannot be created')
    return this.#put(this.#judge(++ids, body))
  }

  /** What the body doesn't say stays; names must end in a dot again, though they are shown without. */
  put(id: number, body: unknown): DigitalOceanRecord {
    return this.#update(id, body, { bare: false })
  }

  /** What the body doesn't say stays. */
  patch(id: number, body: unknown): DigitalOceanRecord {
    return this.#update(id, body, { bare: true })
  }

  delete(id: number): void {
    const { type } = this.get(id)
    if (type === 'SOA') throw unprocessable('SOA records cannot be deleted')
    this.#records.delete(id)
  }

  #update(id: number, body: unknown, { bare }: { bare: boolean }): DigitalOceanRecord {
    if (!isBody(body)) throw unprocessable('Invalid JSON')
    const old = this.get(id)
    // Only its TTL can be changed.
    if (old.type === 'SOA') return this.#put({ ...old, ttl: ttlOf(body['ttl'] ?? old.ttl) })
    const kept = bare && endsInDot(old) && old.data !== '@' ? { ...old, data: withDot(old.data) } : old
    return this.#put(this.#judge(id, { ...kept, ...body }))
  }

  #judge(id: number, body: Body): DigitalOceanRecord {
    const type = String(body['type'])
    if (!TYPES.includes(type)) throw unprocessable('Record type is not valid')
    const name = this.#relative(body['name'] ?? '@')
    const fields = FIELDS[type] ?? []
    const numberOf = (field: 'priority' | 'port' | 'weight' | 'flags', most = 65_535) => {
      if (!fields.includes(field)) return null
      const value = body[field]
      if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > most)
        throw unprocessable(`${field[0]?.toUpperCase()}${field.slice(1)} is not valid`)
      return Number(value)
    }
    const tag = fields.includes('tag') ? String(body['tag']) : null
    if (tag !== null && !['issue', 'issuewild', 'iodef'].includes(tag))
      throw unprocessable('Tag is not valid')
    return {
      id,
      type,
      name,
      data: dataOf({ type, tag, data: body['data'] }),
      priority: numberOf('priority'),
      port: numberOf('port'),
      ttl: ttlOf(body['ttl'] ?? DEFAULT_TTL),
      weight: numberOf('weight'),
      flags: numberOf('flags', 255),
      tag,
    }
  }

  /** Whatever has no final dot is taken for relative, also the whole name. */
  #relative(name: unknown): string {
    if (typeof name !== 'string' || name === '') throw unprocessable("Name can't be blank")
    const plain = name.toLowerCase()
    if (plain === '@' || plain === `${this.name}.`) return '@'
    const relative = plain.endsWith(`.${this.name}.`) ? plain.slice(0, -this.name.length - 2) : plain
    if (!/^(\*|[a-z0-9_-]+)(\.[a-z0-9_*-]+)*$/.test(relative)) throw unprocessable('Name is not valid')
    return relative
  }

  #put(record: DigitalOceanRecord): DigitalOceanRecord {
    const others = [...this.#records.values()].filter(
      ({ id, name }) => id !== record.id && name === record.name,
    )
    if (others.some(({ type }) => type === 'CNAME') || (record.type === 'CNAME' && others.length > 0))
      throw unprocessable('CNAME records cannot share a name with other records')
    this.#records.set(record.id, record)
    return structuredClone(record)
  }
}

const withDot = (name: string) => (name.endsWith('.') ? name : `${name}.`)

/** Of these data is a name, which is sent with a final dot. */
const endsInDot = ({ type, tag }: Pick<DigitalOceanRecord, 'type' | 'tag'>): boolean =>
  ['CNAME', 'MX', 'NS', 'SRV'].includes(type) || (type === 'CAA' && tag !== 'iodef')

function dataOf({ type, tag, data }: { type: string; tag: string | null; data: unknown }): string {
  if (typeof data !== 'string' || data === '') throw unprocessable("Data can't be blank")
  if (type === 'A' && !isIPv4(data)) throw unprocessable('IP address is not valid')
  if (type === 'AAAA' && !isIPv6(data)) throw unprocessable('IP address is not valid')
  if (type === 'TXT' && (data.includes('\\') || data.length > MAX_TEXT))
    throw unprocessable('Data is not valid for a TXT record')
  if (!endsInDot({ type, tag }) || data === '@') return data
  if (!data.endsWith('.')) throw unprocessable('Data needs to end with a dot (.)')
  return data === '.' ? data : data.slice(0, -1)
}

function ttlOf(ttl: unknown): number {
  if (!Number.isInteger(ttl) || Number(ttl) < MIN_TTL || Number(ttl) > 2 ** 31 - 1)
    throw unprocessable(`TTL must be at least ${MIN_TTL}`)
  return Number(ttl)
}
