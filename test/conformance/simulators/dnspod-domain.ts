import { randomUUID } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, json, type Body } from './answers.ts'
import { rdataOfEither } from './rdata.ts'

export interface DnspodRecord {
  RecordId: number
  /** Relative to the domain, `@` for the apex. */
  Name: string
  Type: string
  /** Names with the final dot. */
  Value: string
  Line: string
  LineId: string
  Weight: number | null
  /** Of MX, HTTPS and SVCB the priority; else 0. */
  MX: number
  /** Seconds. */
  TTL: number
  Status: 'ENABLE' | 'DISABLE'
  Remark: string
  UpdatedOn: string
  MonitorStatus: string
  DefaultNS: boolean
}

/** An answer like any other: the status is always 200. */
export const failure = (Code: string, Message: string) =>
  new Refused(json(200, { Response: { Error: { Code, Message }, RequestId: randomUUID() } }))

export const LINES = [
  { Name: '默认', LineId: '0' },
  { Name: '境外', LineId: '3=0' },
  { Name: '电信', LineId: '10=0' },
  { Name: '联通', LineId: '10=1' },
]
const TYPES = 'A CNAME MX TXT NS AAAA SPF SRV CAA HTTPS SVCB 显性URL 隐性URL'.split(' ')
const ADDRESSES = new Set(['A', 'AAAA', '显性URL', '隐性URL'])
const WITH_PRIORITY = new Set(['MX', 'HTTPS', 'SVCB'])
const DEFAULT_TTL = 600
const MAX_TTL = 604_800

let ids = 556_507_778

/** One domain, with the checks that DNSPod makes when it is changed. All methods throw Refused. */
export class DnspodDomain {
  readonly id = ++ids
  /** ASCII. */
  readonly name: string
  /** Seconds; the free plan has 600. */
  readonly minTtl: number
  readonly createdOn = now()
  #records = new Map<number, DnspodRecord>()

  constructor(name: string, minTtl: number) {
    this.name = name
    this.minTtl = minTtl
    for (const Value of ['source.dnspod.net.', 'low.dnspod.net.'])
      this.#put({
        ...this.#judge({ RecordType: 'NS', RecordLine: '默认', Value, TTL: 86_400 }),
        DefaultNS: true,
      })
  }

  get unicodeName(): string {
    return domainToUnicode(this.name)
  }

  /** Copies. */
  get records(): DnspodRecord[] {
    return structuredClone([...this.#records.values()])
  }

  has(id: unknown): boolean {
    return this.#records.has(Number(id))
  }

  get(id: unknown): DnspodRecord {
    const found = this.#records.get(Number(id))
    if (found === undefined)
      throw failure('InvalidParameter.RecordIdInvalid', 'The record number is invalid.')
    return structuredClone(found)
  }

  create(body: Body): number {
    return this.#put(this.#judge(body))
  }

  /** Whole: what the body doesn't say is as of a new record, but the remark. */
  modify(id: unknown, body: Body): number {
    const { RecordId, Remark } = this.#own(id)
    return this.#put({ ...this.#judge({ Remark, ...body }), RecordId })
  }

  /** Only what the body says. */
  change(id: unknown, body: Partial<DnspodRecord>): number {
    return this.#put({ ...this.#own(id), ...body, UpdatedOn: now() })
  }

  delete(id: unknown): void {
    this.#records.delete(this.#own(id).RecordId)
  }

  /** One that is not there for the domain's sake. */
  #own(id: unknown): DnspodRecord {
    const record = this.get(id)
    if (record.DefaultNS) throw failure('FailedOperation', 'The default NS records cannot be changed.')
    return record
  }

  #judge(body: Body): DnspodRecord {
    const Type = String(body['RecordType'])
    if (!TYPES.includes(Type))
      throw failure('InvalidParameter.RecordTypeInvalid', 'The record type is incorrect.')
    const line = LINES.find(({ Name, LineId }) =>
      body['RecordLineId'] === undefined ? Name === body['RecordLine'] : LineId === body['RecordLineId'],
    )
    if (line === undefined)
      throw failure('InvalidParameter.RecordLineInvalid', 'The record line is incorrect.')
    const MX = WITH_PRIORITY.has(Type) ? priorityOf(body['MX']) : 0
    const { Status = 'ENABLE', Remark = '' } = body
    if (Status !== 'ENABLE' && Status !== 'DISABLE')
      throw failure('InvalidParameterValue', 'The value of parameter `Status` is not valid.')
    return {
      RecordId: ++ids,
      Name: this.#relative(body['SubDomain'] ?? '@'),
      Type,
      Value: valueOf(Type, String(body['Value']), MX),
      Line: line.Name,
      LineId: line.LineId,
      Weight: weightOf(body['Weight']),
      MX,
      TTL: this.#ttl(body['TTL'] ?? DEFAULT_TTL),
      Status,
      Remark: String(Remark),
      UpdatedOn: now(),
      MonitorStatus: '',
      DefaultNS: false,
    }
  }

  /** Every name is taken for a relative one. */
  #relative(name: unknown): string {
    const plain = String(name).toLowerCase()
    const isGood = plain === '@' || /^(\*|[a-z0-9_-]{1,63})(\.([a-z0-9_-]{1,63}|\*))*$/.test(plain)
    if (!isGood || plain.length + this.name.length > 252)
      throw failure('InvalidParameter.SubdomainInvalid', 'The subdomain is incorrect.')
    return plain
  }

  #ttl(ttl: unknown): number {
    if (Number(ttl) < 1 || Number(ttl) > MAX_TTL)
      throw failure('InvalidParameterValue', `TTL must be between 1 and ${MAX_TTL}.`)
    if (Number(ttl) < this.minTtl)
      throw failure('LimitExceeded.RecordTtlLimit', 'The TTL value exceeds the limit of the package.')
    return Number(ttl)
  }

  #put(record: DnspodRecord): number {
    const others = [...this.#records.values()].filter(
      ({ RecordId, Name, LineId }) =>
        RecordId !== record.RecordId && Name === record.Name && LineId === record.LineId,
    )
    if (others.some((other) => identityOf(other) === identityOf(record)))
      throw failure('InvalidParameter.DomainRecordExist', 'The record already exists.')
    const served = [record, ...others].filter(({ Status }) => Status === 'ENABLE')
    const hasAlias = served.some(({ Type }) => Type === 'CNAME')
    // At the apex it stands beside all but addresses.
    const clashes = ({ Type }: DnspodRecord) => (record.Name === '@' ? ADDRESSES.has(Type) : Type !== 'CNAME')
    if (record.Status === 'ENABLE' && hasAlias && served.some(clashes))
      throw failure('InvalidParameter.OperateFailed', 'The record conflicts with others of its name.')
    this.#records.set(record.RecordId, record)
    return record.RecordId
  }
}

const identityOf = ({ Type, Value, MX }: DnspodRecord) => `${Type} ${MX} ${Value}`

const now = () => new Date().toISOString().replace('T', ' ').slice(0, 19)

function priorityOf(priority: unknown): number {
  if (!Number.isInteger(priority) || Number(priority) < 0 || Number(priority) > 65_535)
    throw failure('InvalidParameter.MxInvalid', 'The MX priority is incorrect.')
  return Number(priority)
}

/** 0 takes the weight away. */
function weightOf(weight: unknown): number | null {
  if (weight === undefined || weight === 0) return null
  if (Number(weight) < 0 || Number(weight) > 100)
    throw failure('InvalidParameterValue', 'The value of parameter `Weight` is not valid.')
  return Number(weight)
}

/** Texts stay as they are, and names are taken for whole ones. */
function valueOf(type: string, value: string, priority: number): string {
  const isName = ['CNAME', 'MX', 'NS', 'SRV'].includes(type)
  const written = isName && !value.endsWith('.') ? `${value}.` : value
  const isUrl = type.endsWith('URL')
  const known = readType(type)
  const isGood = isUrl
    ? /^https?:\/\/\S+$/.test(value)
    : known === null
      ? value !== ''
      : value !== '' && typeOf(known).read(rdataOf({ Type: type, Value: written, MX: priority })) !== null
  // There is no null MX.
  if (!isGood || (type === 'MX' && value === '.'))
    throw failure('InvalidParameter.RecordValueInvalid', 'The record value is invalid.')
  return written
}

/** As a master file has it. */
export function rdataOf({ Type, Value, MX }: Pick<DnspodRecord, 'Type' | 'Value' | 'MX'>): string {
  if (Type === 'TXT') return rdataOfEither(Value)
  return WITH_PRIORITY.has(Type) ? `${MX} ${Value}` : Value
}
