import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, json, textOf, type Body } from './answers.ts'
import { joinData } from './rdata.ts'

export interface NjallaRecord {
  id: string
  /** Relative to the domain, `@` for the apex. */
  name: string
  type: string
  /** Names without the final dot; text without quotes; of SRV `weight port target`. */
  content: string
  /** Seconds. */
  ttl: number
  /** Of MX and SRV. */
  prio?: number
}

const TYPES = 'A AAAA CAA CNAME MX NS SRV TXT'.split(' ')
const TTLS = new Set<unknown>([60, 300, 900, 3600, 10_800, 21_600, 86_400])
const MX_PRIORITIES = new Set<unknown>([0, 1, 5, 10, 20, 30, 40, 50, 60])
const WITH_PRIORITY = new Set(['MX', 'SRV'])
const LABELS = /^(\*|[a-z0-9_-]{1,63})(\.[a-z0-9_-]{1,63})*$/

/** Whatever went wrong, it is 200. */
export const failure = (code: number, message: string) =>
  new Refused(json(200, { jsonrpc: '2.0', error: { code, message } }))
export const invalid = (message: string) => failure(400, message)

let ids = 1_337

/** One domain, with the checks that Njalla makes when it is changed. All methods throw Refused. */
export class NjallaDomain {
  readonly name: string
  readonly #records = new Map<string, NjallaRecord>()

  constructor(name: string) {
    this.name = name
  }

  /** Copies. */
  get records(): NjallaRecord[] {
    return structuredClone([...this.#records.values()])
  }

  /** Puts a record there without any check. */
  hold(record: Omit<NjallaRecord, 'id'>): void {
    const id = String(++ids)
    this.#records.set(id, { id, ...record })
  }

  /** Also one that is there already. */
  add(params: Body): NjallaRecord {
    return this.#put(String(++ids), params)
  }

  /** What is not said stays, and so does the type. */
  edit(params: Body): NjallaRecord {
    const old = this.#record(params)
    if (params['type'] !== undefined && params['type'] !== old.type) throw invalid('invalid type')
    return this.#put(old.id, { ...old, ...params })
  }

  remove(params: Body): void {
    this.#records.delete(this.#record(params).id)
  }

  #record({ id }: Body): NjallaRecord {
    if (id === undefined || id === '') throw invalid('missing id')
    const found = this.#records.get(textOf(id))
    if (found === undefined || !TYPES.includes(found.type)) throw failure(404, 'Record not found')
    return found
  }

  #put(id: string, params: Body): NjallaRecord {
    const record = { id, ...judge(params) }
    const others = [...this.#records.values()].filter((each) => each.id !== id && each.name === record.name)
    if (others.some(({ type }) => type === 'CNAME') || (record.type === 'CNAME' && others.length > 0))
      throw invalid('CNAME can not be used together with other records')
    this.#records.set(id, record)
    return { ...record }
  }
}

function judge(params: Body): Omit<NjallaRecord, 'id'> {
  for (const name of ['name', 'type', 'content', 'ttl'])
    if (params[name] === undefined || params[name] === '') throw invalid(`missing ${name}`)
  const { type, content, ttl, prio } = params
  const name = textOf(params['name']).toLowerCase()
  if (name !== '@' && !LABELS.test(name)) throw invalid('invalid name')
  // Those of the apex are of the domain's own.
  if (typeof type !== 'string' || !TYPES.includes(type) || (type === 'NS' && name === '@'))
    throw invalid('invalid type')
  if (typeof ttl !== 'number' || !TTLS.has(ttl)) throw invalid('invalid ttl')
  if (typeof content !== 'string') throw invalid('invalid content')
  const record = {
    name,
    type,
    content,
    ttl,
    ...(WITH_PRIORITY.has(type) && { prio: priorityOf(type, prio) }),
  }
  const known = readType(type)
  const value = known === null ? null : typeOf(known).read(presentationOf(record))
  const endsInName = ['CNAME', 'MX', 'NS', 'SRV'].includes(type)
  if (value === null || (endsInName && content.endsWith('.'))) throw invalid('invalid content')
  return type === 'AAAA' ? { ...record, content: longForm(value) } : record
}

function priorityOf(type: string, prio: unknown): number {
  if (prio === undefined) throw invalid('missing prio')
  const isGood = type === 'MX' ? MX_PRIORITIES.has(prio) : Number(prio) >= 0 && Number(prio) < 65_536
  if (!Number.isInteger(prio) || !isGood) throw invalid('invalid prio')
  return Number(prio)
}

/** All eight groups, whole and in capitals. */
function longForm(address: string): string {
  const [head = '', tail] = address.split('::')
  const groupsOf = (text: string) => text.split(':').filter((group) => group !== '')
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')]
  const between = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...between, ...after].map((group) => group.padStart(4, '0').toUpperCase()).join(':')
}

/** The data as a master file has it. */
export function presentationOf({
  type,
  content,
  prio = 0,
}: Omit<NjallaRecord, 'id' | 'name' | 'ttl'>): string {
  if (type === 'SRV') return `${prio} ${content}.`
  return joinData(type, { data: content, priority: prio }, '')
}
