import { randomUUID } from 'node:crypto'
import { isIPv4, isIPv6 } from 'node:net'
import { typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json, type Body } from './answers.ts'

export interface VultrRecord {
  id: string
  type: string
  /** Relative to the domain, '' for the apex. */
  name: string
  /** Names without the final dot; of SRV `weight port target`. */
  data: string
  /** -1: none, of what Vultr made; else what was sent, also where it means nothing. */
  priority: number
  /** Seconds. */
  ttl: number
}

export const TYPES = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SRV', 'SSHFP', 'TXT']
const LABELS = /^(\*|[a-z0-9_-]{1,63})(\.[a-z0-9_-]{1,63})*$/
const DEFAULT_TTL = 300
const MIN_TTL = 120
const MAX_TTL = 2 ** 31 - 1
const NAME_SERVERS = ['ns1.vultr.com', 'ns2.vultr.com']

export const failure = (status: number, error: string) => new Refused(json(status, { error, status }))
export const invalid = (reason: string) => failure(400, reason)

/** One domain, with the checks that Vultr makes when it is changed. All methods throw Refused. */
export class VultrDomain {
  readonly name: string
  readonly createdAt = new Date().toISOString().replace(/\.\d+Z/, '+00:00')
  dnsSec: 'enabled' | 'disabled' = 'disabled'
  readonly #records = new Map<string, VultrRecord>()

  /** `ip`: for which Vultr makes some records more. */
  constructor(name: string, ip?: string) {
    this.name = name
    const own = { name: '', priority: -1, ttl: DEFAULT_TTL }
    for (const data of NAME_SERVERS) this.#put({ ...own, id: randomUUID(), type: 'NS', data })
    if (ip === undefined) return
    this.#put({ ...own, id: randomUUID(), type: 'A', data: ip })
    this.#put({ ...own, id: randomUUID(), type: 'CNAME', name: '*', data: name })
    this.#put({ ...own, id: randomUUID(), type: 'MX', data: name, priority: 10 })
  }

  /** Copies. */
  get records(): VultrRecord[] {
    return structuredClone([...this.#records.values()])
  }

  get(id: string): VultrRecord {
    const found = this.#records.get(id)
    if (found === undefined) throw failure(404, 'Invalid record.')
    return structuredClone(found)
  }

  /** A record that is there already is made once more. */
  post(body: unknown): VultrRecord {
    if (!isBody(body)) throw invalid('Invalid data.')
    return this.#put(readRecord(randomUUID(), { ttl: DEFAULT_TTL, priority: 0, ...body }))
  }

  /** What the body doesn't say stays; the type stays always. */
  patch(id: string, body: unknown): void {
    const old = this.get(id)
    if (!isBody(body)) throw invalid('Invalid data.')
    if (body['type'] !== undefined && body['type'] !== old.type) throw invalid('Invalid type.')
    this.#put(readRecord(id, { ...old, ...body }))
  }

  delete(id: string): void {
    this.get(id)
    this.#records.delete(id)
  }

  #put(record: VultrRecord): VultrRecord {
    const others = [...this.#records.values()].filter(
      ({ id, name }) => id !== record.id && name === record.name,
    )
    if (others.some(({ type }) => type === 'CNAME') || (record.type === 'CNAME' && others.length > 0))
      throw invalid('A CNAME record cannot share a name with other records.')
    this.#records.set(record.id, record)
    return structuredClone(record)
  }
}

function readRecord(id: string, { type, name, data, priority, ttl }: Body): VultrRecord {
  if (typeof type !== 'string' || !TYPES.includes(type)) throw invalid('Invalid type.')
  if (typeof name !== 'string' || (name !== '' && !LABELS.test(name))) throw invalid('Invalid name.')
  if (typeof data !== 'string' || !isData(type, data)) throw invalid('Invalid data.')
  if (!Number.isInteger(ttl) || Number(ttl) < MIN_TTL || Number(ttl) > MAX_TTL)
    throw invalid(`TTL must be at least ${MIN_TTL}.`)
  if (!Number.isInteger(priority) || Number(priority) < -1 || Number(priority) > 65_535)
    throw invalid('Invalid priority.')
  return { id, type, name, data, priority: Number(priority), ttl: Number(ttl) }
}

const isTarget = (name: string | undefined) => name !== undefined && LABELS.test(name.toLowerCase())

function isData(type: string, data: string): boolean {
  if (type === 'A') return isIPv4(data)
  if (type === 'AAAA') return isIPv6(data)
  // One string in quotes, however long; neither quotes nor escapes are in it.
  if (type === 'TXT') return /^"[^"\\]+"$/.test(data)
  if (type === 'CAA') return /^\d+ [a-z]+ "[^"\s]*"$/.test(data)
  if (type === 'SSHFP') return typeOf('SSHFP').read(data) !== null
  if (type !== 'SRV') return isTarget(data)
  const [, target] = /^\d{1,5} \d{1,5} (\S+)$/.exec(data) ?? []
  return target === '.' || isTarget(target)
}
