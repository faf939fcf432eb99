import { randomUUID } from 'node:crypto'
import { readQuoted } from '../../../dns/text/text.ts'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json, type Body } from './answers.ts'
import { joinData, rdataOfText } from './rdata.ts'

export interface IonosRecord {
  id: string
  /** With the zone's, without the final dot. */
  name: string
  rootName: string
  type: string
  /** Names without the final dot; of SRV `weight port target`; text in quotes. */
  content: string
  changeDate: string
  /** Seconds. */
  ttl: number
  /** Of MX and SRV; of others 0. */
  prio: number
  disabled: boolean
}

export const TYPES = 'A AAAA CNAME MX NS SOA SRV TXT CAA TLSA SSHFP DS'.split(' ')
const NAME_SERVERS = ['ns1045.ui-dns.de', 'ns1102.ui-dns.com']
const LABELS = /^(\*|[a-z0-9_-]{1,63})(\.[a-z0-9_-]{1,63})*$/
const MIN_TTL = 60
const MAX_TTL = 2 ** 31 - 1
const DEFAULT_TTL = 3600

/** All errors are lists. */
export const failure = (status: number, code: string, message?: string, parameters?: Body) =>
  new Refused(json(status, [{ code, ...(message && { message }), ...(parameters && { parameters }) }]))
export const invalid = (errorRecord: Body, ...invalidFields: string[]) =>
  failure(400, 'INVALID_RECORD', 'Record is invalid.', { invalidFields, errorRecord })

/** One zone, with the checks that IONOS makes when it is changed. All methods throw Refused, and then change nothing. */
export class IonosZone {
  readonly id = randomUUID()
  readonly name: string
  #records: IonosRecord[] = []

  constructor(name: string) {
    this.name = name
    const own = {
      rootName: name,
      changeDate: new Date().toISOString(),
      prio: 0,
      disabled: false,
      ttl: 86_400,
    }
    const soa = `${NAME_SERVERS[0]} hostmaster.1und1.com 2017060112 28800 7200 604800 600`
    this.#records.push({ id: randomUUID(), ...own, name, type: 'SOA', content: soa })
    for (const content of NAME_SERVERS)
      this.#records.push({ id: randomUUID(), ...own, name, type: 'NS', content })
  }

  /** Copies. */
  get records(): IonosRecord[] {
    return structuredClone(this.#records)
  }

  get(id: string): IonosRecord {
    const found = this.#records.find((record) => record.id === id)
    if (found === undefined) throw failure(404, 'RECORD_NOT_FOUND', 'Record does not exist.')
    return structuredClone(found)
  }

  /** Makes all of them. One that is there already is refused. */
  create(bodies: unknown): IonosRecord[] {
    return this.#atOnce(() => {
      const made = new Set(this.#judgeAll(bodies).map((record) => this.#put(record).id))
      return structuredClone(this.#records.filter(({ id }) => made.has(id)))
    })
  }

  /** All records of the names and types of these are these. */
  patch(bodies: unknown): void {
    this.#atOnce(() => {
      const wanted = this.#judgeAll(bodies)
      const sets = new Set(wanted.map(({ name, type }) => `${name} ${type}`))
      this.#records = this.#records.filter(({ name, type }) => !sets.has(`${name} ${type}`))
      for (const record of wanted) this.#put(record)
    })
  }

  /** All records of the zone, but IONOS' own, are these. */
  replace(bodies: unknown): void {
    this.#atOnce(() => {
      const wanted = this.#judgeAll(bodies)
      this.#records = this.#records.filter((record) => this.#isOwn(record))
      for (const record of wanted) this.#put(record)
    })
  }

  /** Its name and type stay, and what the body does not say. */
  put(id: string, body: unknown): IonosRecord {
    const old = this.#changeable(id)
    if (!isBody(body)) throw invalid({}, 'content')
    return this.#atOnce(() => {
      const { content, ttl, prio, disabled } = { ...old, ...body }
      const changed = this.#judge({ ...old, content, ttl, prio, disabled }, id)
      this.#records = this.#records.filter((record) => record.id !== id)
      return structuredClone(this.#put(changed))
    })
  }

  delete(id: string): void {
    this.#changeable(id)
    this.#records = this.#records.filter((record) => record.id !== id)
  }

  #changeable(id: string): IonosRecord {
    const record = this.get(id)
    if (this.#isOwn(record)) throw invalid({ ...record }, 'type')
    return record
  }

  #isOwn({ name, type }: Pick<IonosRecord, 'name' | 'type'>): boolean {
    return type === 'SOA' || (type === 'NS' && name === this.name)
  }

  #atOnce<T>(change: () => T): T {
    const before = [...this.#records]
    try {
      return change()
    } catch (error) {
      this.#records = before
      throw error
    }
  }

  #judgeAll(bodies: unknown): IonosRecord[] {
    if (!Array.isArray(bodies) || bodies.length === 0) throw invalid({}, 'name')
    return bodies.map((body: unknown) => this.#judge(isBody(body) ? body : {}, randomUUID()))
  }

  #judge(body: Body, id: string): IonosRecord {
    const { type, content, ttl = DEFAULT_TTL, prio = 0, disabled = false } = body
    const name = typeof body['name'] === 'string' ? body['name'].toLowerCase() : ''
    // A name that is relative to the zone is none.
    const isInZone = name === this.name || name.endsWith(`.${this.name}`)
    if (!isInZone || !LABELS.test(name)) throw invalid(body, 'name')
    if (typeof type !== 'string' || !TYPES.includes(type) || this.#isOwn({ name, type }))
      throw invalid(body, 'type')
    if (!Number.isInteger(ttl) || Number(ttl) < MIN_TTL || Number(ttl) > MAX_TTL) throw invalid(body, 'ttl')
    if (!Number.isInteger(prio) || Number(prio) < 0 || Number(prio) > 65_535) throw invalid(body, 'prio')
    if (typeof disabled !== 'boolean') throw invalid(body, 'disabled')
    if (typeof content !== 'string' || content === '') throw invalid(body, 'content')
    const record = {
      id,
      name,
      rootName: this.name,
      type,
      content: contentOf(type, content),
      changeDate: new Date().toISOString(),
      ttl: Number(ttl),
      prio: ['MX', 'SRV'].includes(type) ? Number(prio) : 0,
      disabled,
    }
    const known = readType(type)
    // A lone dot, of which nothing is left.
    if (/(^| )$/.test(record.content)) throw invalid(body, 'content')
    if (known === null || typeOf(known).read(presentationOf(record)) === null) throw invalid(body, 'content')
    return record
  }

  /** A set has one TTL: that of the last who said one. */
  #put(record: IonosRecord): IonosRecord {
    const others = this.#records.filter(({ name }) => name === record.name)
    const isAlone = ({ type }: IonosRecord) => type === 'CNAME'
    if (others.some(isAlone) || (isAlone(record) && others.length > 0)) throw invalid({ ...record }, 'type')
    const set = others.filter(({ type }) => type === record.type)
    if (set.some(({ content, prio }) => content === record.content && prio === record.prio))
      throw failure(400, 'RECORD_ALREADY_EXISTS', 'Record already exists.')
    if (set.some(({ ttl }) => ttl !== record.ttl))
      this.#records = this.#records.map((each) => (set.includes(each) ? { ...each, ttl: record.ttl } : each))
    this.#records.push(record)
    return record
  }
}

/** As it is shown: text in quotes, however it was sent. Whether a lone dot is taken for a name is not documented: no. */
function contentOf(type: string, content: string): string {
  if (type === 'TXT') return readQuoted(content) === null ? rdataOfText(content) : content
  return ['CNAME', 'MX', 'NS', 'SRV'].includes(type) ? content.replace(/\.$/, '') : content
}

/** The data as a master file has it. */
export function presentationOf({ type, content, prio }: IonosRecord): string {
  if (type === 'TXT') return content
  const [weight, port, target = ''] = content.split(' ')
  const numbers = { priority: prio, weight: Number(weight), port: Number(port) }
  return joinData(type, { data: type === 'SRV' ? target : content, ...numbers }, '')
}
