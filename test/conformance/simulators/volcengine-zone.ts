import { typeOf, readType } from '../../../dns/types/index.ts'
import { textOf, type Body } from './answers.ts'
import { rdataOfText } from './rdata.ts'
import { duplicated, failure, invalid, notFound, unfit } from './volcengine-answers.ts'

export interface VolcengineRecord {
  RecordID: string
  /** Relative to the zone, `@` for the apex. */
  Host: string
  Type: string
  /** As it was given: of MX, SRV and CAA all of it; text without quotes. */
  Value: string
  /** Seconds. */
  TTL: number
  Line: string
  /** Counts where its set has it enabled. */
  Weight: number
  Enable: boolean
  Remark: string
  /** Of those of one host, type and line. */
  RecordSetID: string
  CreatedAt: string
  UpdatedAt: string
}

/** Of the others it is only known that there are such. */
const LINES = new Set(['default', 'telecom', 'unicom', 'mobile'])
const TYPES = new Set('A AAAA CAA CNAME MX NS SRV TXT'.split(' '))
const LABELS = /^(\*|[a-z0-9_-]{1,63})(\.[a-z0-9_-]{1,63})*$/
const DEFAULT_TTL = 600
const MAX_TTL = 86_400

let ids = 40_000

/** One zone, with the checks that Volcengine makes when it is changed. All methods throw Refused. */
export class VolcengineZone {
  readonly id = ++ids
  readonly name: string
  readonly remark: string
  /** Seconds; the free edition has 600. */
  readonly minTtl: number
  readonly createdAt = now()
  readonly #records = new Map<string, VolcengineRecord>()
  /** Sets of which the weights count. */
  readonly #weighted = new Set<string>()

  constructor(name: string, minTtl: number, remark = '') {
    this.name = name
    this.minTtl = minTtl
    this.remark = remark
  }

  /** Copies. */
  get records(): VolcengineRecord[] {
    return structuredClone([...this.#records.values()])
  }

  has(id: unknown): boolean {
    return this.#records.has(textOf(id))
  }

  get weightedSets(): string[] {
    return [...this.#weighted]
  }

  hasSet(id: unknown): boolean {
    return this.#all().some(({ RecordSetID }) => RecordSetID === id)
  }

  /** Puts a record there without any check. */
  hold(record: Omit<VolcengineRecord, 'RecordID'>): void {
    const RecordID = String(++ids)
    this.#records.set(RecordID, { ...record, RecordID })
  }

  create(body: Body): VolcengineRecord {
    return this.#put({ ...this.#judge({ Line: 'default', ...body }), RecordID: String(++ids) })
  }

  /** What is not said stays, but the TTL. */
  update(id: unknown, body: Body): VolcengineRecord {
    const old = this.#record(id)
    for (const needed of ['Host', 'Line']) if (textOf(body[needed]) === '') throw invalid(needed)
    const { Enable, CreatedAt } = old
    return this.#put({
      ...this.#judge({ ...old, TTL: undefined, ...body }),
      RecordID: old.RecordID,
      Enable,
      CreatedAt,
    })
  }

  enable(id: unknown, isEnabled: unknown): VolcengineRecord {
    if (typeof isEnabled !== 'boolean') throw invalid('Enable')
    return this.#put({ ...this.#record(id), Enable: isEnabled })
  }

  delete(id: unknown): void {
    this.#records.delete(this.#record(id).RecordID)
  }

  weigh(setId: string, isWeighted: unknown): void {
    if (typeof isWeighted !== 'boolean') throw invalid('WeightEnabled')
    if (isWeighted) this.#weighted.add(setId)
    else this.#weighted.delete(setId)
  }

  #all(): VolcengineRecord[] {
    return [...this.#records.values()]
  }

  #record(id: unknown): VolcengineRecord {
    const found = this.#records.get(textOf(id))
    if (found === undefined) throw notFound(textOf(id))
    return found
  }

  #judge(body: Body): Omit<VolcengineRecord, 'RecordID'> {
    const { Type, Line, TTL = DEFAULT_TTL, Weight = 1, Remark = '' } = body
    const Host = textOf(body['Host']).toLowerCase()
    if (Host === '') throw failure(400, 400_130, 'ErrHostCanNotBeEmpty', "host can't be empty, use @ instead")
    if (Host !== '@' && !LABELS.test(Host)) throw invalid('Host')
    // Those of the apex are of the zone's own.
    if (typeof Type !== 'string' || !TYPES.has(Type) || (Type === 'NS' && Host === '@')) throw invalid('Type')
    if (typeof Line !== 'string' || !LINES.has(Line)) throw invalid('Line')
    if (!isInteger(TTL, this.minTtl, MAX_TTL)) throw invalid('TTL')
    if (!isInteger(Weight, 0, 100)) throw invalid('Weight')
    if (typeof Remark !== 'string' || Remark.length > 255) throw invalid('Remark')
    return {
      Host,
      Type,
      Value: valueOf(Type, textOf(body['Value'])),
      TTL,
      Line,
      Weight,
      Enable: true,
      Remark,
      RecordSetID: `${this.id}${Host}${Type}${Line}`,
      CreatedAt: now(),
      UpdatedAt: now(),
    }
  }

  #put(record: VolcengineRecord): VolcengineRecord {
    const { RecordID, Host, Type, Line, Value } = record
    const others = this.#all().filter(
      (other) => other.RecordID !== RecordID && other.Host === Host && other.Line === Line,
    )
    if (others.some((other) => other.Type === Type && bare(other.Value) === bare(Value)))
      throw duplicated(`${Host} ${Type} ${Value}`)
    const isAlias = (other: VolcengineRecord) => other.Type === 'CNAME'
    if (others.some(isAlias) || (isAlias(record) && others.length > 0)) throw unfit(`${Host} ${Type}`)
    this.#records.set(RecordID, record)
    return structuredClone(record)
  }
}

const now = () => new Date().toISOString().replace(/\.\d+Z$/, '+00:00')
const bare = (value: string) => value.toLowerCase().replace(/\.$/, '')

const isInteger = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most

/** Whether a lone dot is taken for a name, and what quotes, backslashes and other scripts become, is not documented: refused. */
function valueOf(type: string, value: string): string {
  const known = readType(type)
  const isRead = known !== null && typeOf(known).read(presentationOf({ Type: type, Value: value })) !== null
  const isLoneDot = ['CNAME', 'MX', 'NS', 'SRV'].includes(type) && /(^| )\.$/.test(value)
  const isOdd = type === 'TXT' && !/^[ !#-[\]-~]+$/.test(value)
  if (value === '' || !isRead || isLoneDot || isOdd) throw invalid('Value')
  return value
}

/** The data as a master file has it. */
export function presentationOf({ Type, Value }: Pick<VolcengineRecord, 'Type' | 'Value'>): string {
  if (Type === 'TXT') return rdataOfText(Value)
  const endsInName = ['CNAME', 'MX', 'NS', 'SRV'].includes(Type)
  return endsInName && !Value.endsWith('.') ? `${Value}.` : Value
}
