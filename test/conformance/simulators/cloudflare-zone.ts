import { randomBytes } from 'node:crypto'
import { Refused, isBody, json, type Body } from './answers.ts'
import { PROXIABLE, TYPES, meaningOf, storedData, type CloudflareRecord } from './cloudflare-records.ts'

interface ApiError {
  code: number
  message: string
  error_chain?: { code: number; message: string }[]
}

export const failure = (status: number, ...errors: ApiError[]): Refused =>
  new Refused(json(status, { result: null, success: false, errors, messages: [] }))

/** What is wrong with a record. */
const invalid = (code: number, message: string) =>
  failure(400, { code: 1004, message: 'DNS Validation Error', error_chain: [{ code, message }] })

export const newId = () => randomBytes(16).toString('hex')

// Of the free plan.
const MAX_BATCH = 200
const MAX_COMMENT = 100
const ADDRESSES = ['A', 'AAAA']

/** One zone, with the checks that Cloudflare makes when it is changed. All methods throw Refused. */
export class CloudflareZone {
  readonly id = newId()
  readonly name: string
  readonly createdOn = new Date().toISOString()
  #records = new Map<string, CloudflareRecord>()

  constructor(name: string) {
    this.name = name
  }

  /** Copies. */
  get records(): CloudflareRecord[] {
    return structuredClone([...this.#records.values()])
  }

  get(id: string): CloudflareRecord {
    const found = this.#records.get(id)
    if (found === undefined) throw failure(404, { code: 81_044, message: 'Record does not exist.' })
    return structuredClone(found)
  }

  post(body: unknown): CloudflareRecord {
    const now = new Date().toISOString()
    return this.#put({ id: newId(), created_on: now, ...this.#judge(body), modified_on: now })
  }

  /** What the body doesn't say is lost. */
  put(id: string, body: unknown): CloudflareRecord {
    const { created_on } = this.get(id)
    return this.#put({ id, created_on, ...this.#judge(body), modified_on: new Date().toISOString() })
  }

  /** What the body doesn't say stays. */
  patch(id: string, body: unknown): CloudflareRecord {
    if (!isBody(body)) throw invalid(9207, 'Request body is invalid.')
    return this.put(id, { ...this.get(id), ...body })
  }

  delete(id: string): CloudflareRecord {
    const record = this.get(id)
    this.#records.delete(id)
    return record
  }

  /** All or nothing, in Cloudflare's order: deletes, patches, puts, posts. */
  batch(body: unknown): Record<string, CloudflareRecord[]> {
    if (!isBody(body)) throw invalid(9207, 'Request body is invalid.')
    const listOf = (key: string) => (Array.isArray(body[key]) ? (body[key] as Body[]) : [])
    const [deletes, patches, puts, posts] = ['deletes', 'patches', 'puts', 'posts'].map(listOf)
    const all = [deletes, patches, puts, posts].flat().length
    if (all > MAX_BATCH)
      throw failure(400, { code: 9502, message: `A batch has at most ${MAX_BATCH} operations.` })
    const before = new Map(this.#records)
    try {
      const idOf = ({ id }: Body) => String(id)
      return {
        deletes: (deletes ?? []).map((item) => this.delete(idOf(item))),
        patches: (patches ?? []).map((item) => this.patch(idOf(item), item)),
        puts: (puts ?? []).map((item) => this.put(idOf(item), item)),
        posts: (posts ?? []).map((item) => this.post(item)),
      }
    } catch (error) {
      this.#records = before
      throw error
    }
  }

  #judge(body: unknown): Omit<CloudflareRecord, 'id' | 'created_on' | 'modified_on'> {
    if (!isBody(body)) throw invalid(9207, 'Request body is invalid.')
    const type = String(body['type'])
    if (!TYPES.includes(type)) throw invalid(9020, 'Invalid DNS record type')
    const own = storedData(body)
    if (typeof own === 'string') throw invalid(9101, own)
    if (meaningOf({ type, ...own }) === null) throw invalid(9005, `Content for ${type} record is invalid.`)
    const proxied = body['proxied'] === true
    if (proxied && !PROXIABLE.includes(type)) throw invalid(9004, 'This record type cannot be proxied.')
    const comment = typeof body['comment'] === 'string' && body['comment'] !== '' ? body['comment'] : null
    if ((comment?.length ?? 0) > MAX_COMMENT)
      throw invalid(9300, `A comment has at most ${MAX_COMMENT} characters.`)
    return {
      name: this.#absolute(body['name']),
      type,
      ...own,
      proxiable: PROXIABLE.includes(type),
      proxied,
      ttl: proxied ? 1 : ttlOf(body['ttl'] ?? 1),
      settings: isBody(body['settings']) ? body['settings'] : {},
      meta: {},
      comment,
      tags: Array.isArray(body['tags']) ? (body['tags'] as string[]) : [],
    }
  }

  /** A name that is not of the zone is taken for one below it. */
  #absolute(name: unknown): string {
    if (typeof name !== 'string' || name === '') throw invalid(9000, 'DNS name is invalid.')
    const plain = name.toLowerCase().replace(/\.$/, '')
    if (plain === '@' || plain === this.name) return this.name
    const full = plain.endsWith(`.${this.name}`) ? plain : `${plain}.${this.name}`
    if (full.length > 253 || full.split('.').some((label) => label === '' || label.length > 63))
      throw invalid(9000, 'DNS name is invalid.')
    return full
  }

  #put(record: CloudflareRecord): CloudflareRecord {
    const others = [...this.#records.values()].filter(
      ({ id, name }) => id !== record.id && name === record.name,
    )
    const meaning = meaningOf(record)
    if (others.some((other) => other.type === record.type && meaningOf(other) === meaning))
      throw failure(400, { code: 81_058, message: 'An identical record already exists.' })
    const clashing = record.type === 'CNAME' ? [...ADDRESSES, 'CNAME'] : []
    if (others.some(({ type }) => clashing.includes(type))) {
      const message = 'An A, AAAA, or CNAME record with that host already exists.'
      throw failure(400, { code: 81_053, message })
    }
    if (ADDRESSES.includes(record.type) && others.some(({ type }) => type === 'CNAME'))
      throw failure(400, { code: 81_054, message: 'A CNAME record with that host already exists.' })
    this.#records.set(record.id, record)
    return structuredClone(record)
  }
}

function ttlOf(ttl: unknown): number {
  const isTaken = Number.isInteger(ttl) && (ttl === 1 || (Number(ttl) >= 60 && Number(ttl) <= 86_400))
  if (!isTaken) throw invalid(9021, 'TTL must be between 60 and 86400 seconds, or 1 for Automatic.')
  return Number(ttl)
}
