import { randomUUID } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, json } from './answers.ts'
import { rdataOfText } from './rdata.ts'

/** As all parameters come: texts. */
export type Params = Record<string, string>

export interface AlidnsRecord {
  /** Too large for a number. */
  RecordId: string
  DomainName: string
  /** Relative to the domain, `@` for the apex. */
  RR: string
  Type: string
  /** Names without the final dot. */
  Value: string
  /** Of MX alone. */
  Priority?: number
  /** Seconds. */
  TTL: number
  Line: string
  Status: 'ENABLE' | 'DISABLE'
  Locked: boolean
  /** Counts where the load is balanced. */
  Weight: number
  LbaStatus: boolean
  /** Missing: none. */
  Remark?: string
  CreateTimestamp: number
  UpdateTimestamp: number
}

export const failure = (status: number, Code: string, Message: string) =>
  new Refused(
    json(status, {
      RequestId: randomUUID().toUpperCase(),
      HostId: 'alidns.aliyuncs.com',
      Code,
      Message,
      Recommend: `https://api.alibabacloud.com/troubleshoot?q=${Code}`,
    }),
  )
export const invalid = (message: string) => failure(400, 'InvalidParameter', message)

export const LINES = ['default', 'telecom', 'unicom', 'mobile', 'oversea']
const TYPES = 'A AAAA CAA CNAME MX NS SRV TXT REDIRECT_URL FORWARD_URL'.split(' ')
const MAX_TTL = 86_400
const MAX_TEXT = 512
const MAX_REMARK = 50

let ids = 17_606_200_807_158_784n

/** One domain, with the checks that Alibaba Cloud makes when it is changed. All methods throw Refused. */
export class AlidnsDomain {
  readonly id = randomUUID()
  /** ASCII. */
  readonly name: string
  /** Seconds; 600 but for the dearer plans. */
  readonly minTtl: number
  #records = new Map<string, AlidnsRecord>()

  constructor(name: string, minTtl: number) {
    this.name = name
    this.minTtl = minTtl
  }

  get unicodeName(): string {
    return domainToUnicode(this.name)
  }

  /** Copies. */
  get records(): AlidnsRecord[] {
    return structuredClone([...this.#records.values()])
  }

  find(id: string | undefined): AlidnsRecord | undefined {
    return structuredClone(this.#records.get(id ?? ''))
  }

  add(params: Params): AlidnsRecord {
    const now = Date.now()
    const made: AlidnsRecord = {
      RecordId: String((ids += 4096n)),
      DomainName: this.name,
      ...this.#judge(params),
      Status: 'ENABLE',
      Locked: false,
      Weight: 1,
      LbaStatus: false,
      CreateTimestamp: now,
      UpdateTimestamp: now,
    }
    return this.#put(made)
  }

  /** What is left out is as of a new record, but status, remark and weight. What changes nothing is refused. */
  update(record: AlidnsRecord, params: Params): AlidnsRecord {
    const { Priority: _, ...kept } = record
    const wanted: AlidnsRecord = { ...kept, ...this.#judge(params) }
    if (identityOf(wanted) === identityOf(record) && wanted.TTL === record.TTL) throw duplicate()
    return this.#put(wanted)
  }

  setStatus(record: AlidnsRecord, status: string | undefined): AlidnsRecord {
    if (status !== 'Enable' && status !== 'Disable') throw invalid('The specified Status is invalid.')
    return this.#put({ ...record, Status: status === 'Enable' ? 'ENABLE' : 'DISABLE' })
  }

  /** '' takes it away. */
  setRemark(record: AlidnsRecord, remark: string): AlidnsRecord {
    const { Remark: _, ...bare } = record
    if (remark.length > MAX_REMARK) throw invalid(`A remark has at most ${MAX_REMARK} characters.`)
    return this.#put({ ...bare, ...(remark !== '' && { Remark: remark }) })
  }

  setWeight(record: AlidnsRecord, weight: number): AlidnsRecord {
    if (!Number.isInteger(weight) || weight < 1 || weight > 100) throw invalid('A weight is from 1 to 100.')
    return this.#put({ ...record, Weight: weight, LbaStatus: true })
  }

  delete({ RecordId }: AlidnsRecord): void {
    this.#records.delete(RecordId)
  }

  #judge({ RR, Type = '', Value = '', TTL = '600', Priority, Line = 'default' }: Params) {
    if (!TYPES.includes(Type)) throw invalid(`The specified Type ${Type} is invalid.`)
    if (!LINES.includes(Line)) throw failure(400, 'UnsupportedLine', 'The specified line is not supported.')
    if (RR === undefined) throw failure(400, 'MissingParameter', 'RR is mandatory for this action.')
    const rr = RR.toLowerCase()
    const isGood =
      rr === '@' || /^(\*|[a-z0-9_\u4e00-\u9fff-]{1,63})(\.[a-z0-9_\u4e00-\u9fff-]{1,63})*$/.test(rr)
    if (!isGood || rr.length + this.name.length > 252)
      throw failure(400, 'InvalidRR.Format', 'The format of the specified host record is invalid.')
    // Those of the domain itself are Alibaba Cloud's own, and not listed.
    if (Type === 'NS' && rr === '@') throw failure(400, 'InvalidRR.NSEmpty', 'An NS record cannot be at @.')
    const ttl = Number(TTL)
    if (!Number.isInteger(ttl) || ttl < this.minTtl || ttl > MAX_TTL)
      throw failure(400, 'SubDomainInvalid.TTL', 'The specified TTL is invalid for the plan.')
    const priority = Number(Priority)
    if (Type === 'MX' && !(Number.isInteger(priority) && priority >= 1 && priority <= 50))
      throw invalid('The priority of an MX record is from 1 to 50.')
    return {
      RR: rr,
      Type,
      Value: valueOf(Type, Value),
      ...(Type === 'MX' && { Priority: priority }),
      TTL: ttl,
      Line,
    }
  }

  #put(record: AlidnsRecord): AlidnsRecord {
    const others = [...this.#records.values()].filter(
      ({ RecordId, RR, Line }) => RecordId !== record.RecordId && RR === record.RR && Line === record.Line,
    )
    if (others.some((other) => identityOf(other) === identityOf(record))) throw duplicate()
    const served = [record, ...others].filter(({ Status }) => Status === 'ENABLE')
    if (record.Status === 'ENABLE' && served.length > 1 && served.some(({ Type }) => Type === 'CNAME'))
      throw failure(400, 'DomainRecordConflict', 'The DNS record conflicts with other records.')
    this.#records.set(record.RecordId, { ...record, UpdateTimestamp: Date.now() })
    return structuredClone(record)
  }
}

export const duplicate = () => failure(400, 'DomainRecordDuplicate', 'The DNS record already exists.')

const identityOf = ({ RR, Type, Line, Value, Priority }: AlidnsRecord) =>
  `${RR} ${Type} ${Line} ${Priority} ${Value}`

/** Of texts the quotes and the spaces around are lost; names are whole ones and shown without the final dot. */
function valueOf(type: string, value: string): string {
  if (type === 'TXT') {
    const text = value.replaceAll('"', '').trim()
    if (text === '' || Buffer.byteLength(text) > MAX_TEXT) throw invalid('The specified Value is invalid.')
    return text
  }
  const shown = ENDS_IN_NAME.has(type) && !/(^| )\.$/.test(value) ? value.replace(/\.$/, '') : value
  const known = readType(type)
  const isGood =
    known === null
      ? /^https?:\/\/\S+$/.test(value)
      : typeOf(known).read(rdataOf({ Type: type, Value: shown, Priority: 1 })) !== null
  // There is no null MX.
  if (!isGood || shown === '.') throw invalid('The specified Value is invalid.')
  return shown
}

const ENDS_IN_NAME = new Set(['CNAME', 'MX', 'NS', 'SRV'])

/** As a master file has it. */
export function rdataOf({
  Type,
  Value,
  Priority,
}: Pick<AlidnsRecord, 'Type' | 'Value' | 'Priority'>): string {
  if (Type === 'TXT') return rdataOfText(Value)
  const absolute = ENDS_IN_NAME.has(Type) && !Value.endsWith('.') ? `${Value}.` : Value
  return Type === 'MX' ? `${Priority} ${absolute}` : absolute
}
