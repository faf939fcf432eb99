import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, json, type Body } from './answers.ts'

export interface PorkbunRecord {
  /** A number as text. */
  id: string
  /** With the domain's, without the final dot. */
  name: string
  type: string
  /** Names without the final dot; of SRV `weight port target`. */
  content: string
  /** Seconds, as text. */
  ttl: string
  /** As text: '0' where it means nothing, null of Porkbun's own NS. */
  prio: string | null
  /** Of people for people. */
  notes: string | null
}

export const TYPES = 'A AAAA ALIAS CAA CNAME HTTPS MX NS SRV SSHFP SVCB TLSA TXT'.split(' ')
const LABELS = /^(\*|[a-z0-9_-]{1,63})(\.[a-z0-9_-]{1,63})*$/
const MIN_TTL = 600
const MAX_TTL = 2 ** 31 - 1
const NAME_SERVERS = ['maceio.porkbun.com', 'salvador.porkbun.com', 'fortaleza.porkbun.com']

export const failure = (message: string, status = 400) =>
  new Refused(json(status, { status: 'ERROR', message }))

const notCreated = () => failure('Create error: We were unable to create the DNS record.')
const notEdited = () => failure('Edit error: We were unable to edit the DNS record.')

let ids = 421_642_400

/** One domain, with the checks that Porkbun makes when it is changed. All methods throw Refused. */
export class PorkbunDomain {
  readonly name: string
  readonly createDate = '2024-01-01 00:00:00'
  /** The owner lets the API at it. */
  isOptedIn = true
  readonly #records = new Map<string, PorkbunRecord>()

  constructor(name: string) {
    this.name = name
    for (const content of NAME_SERVERS)
      this.#put({ id: String(++ids), name, type: 'NS', content, ttl: '86400', prio: null, notes: null })
  }

  /** Copies. */
  get records(): PorkbunRecord[] {
    return structuredClone([...this.#records.values()])
  }

  /** A record that is there already is made once more. Answers its id, which is a number here alone. */
  create(body: Body): number {
    const made = this.#judge(String(++ids), body)
    if (made === null || this.#clashes(made)) throw notCreated()
    this.#put({ ...made, notes: typeof body['notes'] === 'string' ? body['notes'] : null })
    return Number(made.id)
  }

  /** What the body doesn't say is the default; only of notes null says that they stay. No change at all is an error. */
  edit(id: string, body: Body): void {
    const old = this.#find(id)
    const made = this.#judge(id, body)
    if (made === null || this.#clashes(made)) throw notEdited()
    const { notes } = body
    const edited = { ...made, notes: notes === null ? old.notes : typeof notes === 'string' ? notes : '' }
    const isSame = (field: keyof PorkbunRecord) => (old[field] ?? '') === (edited[field] ?? '')
    if ((Object.keys(edited) as (keyof PorkbunRecord)[]).every(isSame)) throw notEdited()
    this.#put(edited)
  }

  delete(id: string): void {
    this.#find(id)
    this.#records.delete(id)
  }

  /** Those of a type and a name relative to the domain, '' for the apex. */
  named(type: string, name: string): PorkbunRecord[] {
    const full = this.#full(name)
    return this.records.filter((record) => record.type === type && record.name === full)
  }

  #full(name: string): string {
    return name === '' ? this.name : `${name}.${this.name}`
  }

  #find(id: string): PorkbunRecord {
    const found = this.#records.get(id)
    if (found === undefined) throw failure('Invalid record ID.')
    if (this.#isOwn(found)) throw notEdited()
    return found
  }

  /** NS at the apex go another way. */
  #isOwn({ type, name }: PorkbunRecord): boolean {
    return type === 'NS' && name === this.name
  }

  /** The record that the body says; null: there is none such. Why, nobody is told. */
  #judge(id: string, { name = '', type, content, ttl = MIN_TTL, prio }: Body): PorkbunRecord | null {
    if (typeof type !== 'string' || !TYPES.includes(type)) return null
    if (typeof name !== 'string' || (name !== '' && !LABELS.test(name))) return null
    if (typeof content !== 'string' || !isContent(type, content)) return null
    const seconds = Number(ttl)
    if (!Number.isInteger(seconds) || seconds < MIN_TTL || seconds > MAX_TTL) return null
    const needsPriority = type === 'MX' || type === 'SRV'
    const priority = Number(prio ?? (needsPriority ? NaN : 0))
    if (!Number.isInteger(priority) || priority < 0 || priority > 65_535) return null
    const made: PorkbunRecord = {
      id,
      name: this.#full(name),
      type,
      // Space at the end is lost.
      content: content.trimEnd(),
      ttl: String(seconds),
      prio: String(priority),
      notes: null,
    }
    return this.#isOwn(made) ? null : made
  }

  #clashes({ id, name, type }: PorkbunRecord): boolean {
    const others = [...this.#records.values()].filter((other) => other.id !== id && other.name === name)
    return others.some((other) => [type, other.type].includes('CNAME'))
  }

  #put(record: PorkbunRecord): void {
    this.#records.set(record.id, record)
  }
}

const isTarget = (name: string | undefined) => name !== undefined && LABELS.test(name.toLowerCase())

function isContent(type: string, content: string): boolean {
  if (type === 'TXT') return content.trim() !== ''
  if (type === 'CAA') return /^\d+ [a-z]+ "[^"\s]*"$/.test(content)
  if (['ALIAS', 'CNAME', 'NS'].includes(type)) return isTarget(content)
  if (type === 'MX') return content === '.' || isTarget(content)
  if (type === 'SRV') {
    const [, target] = /^\d{1,5} \d{1,5} (\S+)$/.exec(content) ?? []
    return target === '.' || isTarget(target)
  }
  const known = readType(type)
  return known !== null && typeOf(known).read(content) !== null
}
