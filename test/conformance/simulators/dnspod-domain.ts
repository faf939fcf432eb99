import { randomUUID } from 'node:crypto'
import { readType } from '../../../dns/types/index.ts'
import { Refused, json, textOf, type Body } from './answers.ts'
import { isData, isInteger, isPort } from './checks.ts'
import { dotted, rdataOfEither } from './rdata.ts'
import { RecordZone } from './record-zone.ts'

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
export const invalid = (what: string, message: string) => failure(`InvalidParameter.${what}Invalid`, message)
const badValue = (name: string) =>
  failure('InvalidParameterValue', `The value of parameter \`${name}\` is not valid.`)

export const DEFAULT_LINE = { Name: '默认', LineId: '0' }
const LINES = [
  DEFAULT_LINE,
  { Name: '境外', LineId: '3=0' },
  { Name: '电信', LineId: '10=0' },
  { Name: '联通', LineId: '10=1' },
]
const TYPES = new Set('A CNAME MX TXT NS AAAA SPF SRV CAA HTTPS SVCB 显性URL 隐性URL'.split(' '))
const ADDRESSES = new Set(['A', 'AAAA', '显性URL', '隐性URL'])
export const WITH_PRIORITY = new Set(['MX', 'HTTPS', 'SVCB'])
export const NAME_SERVERS = ['source.dnspod.net', 'low.dnspod.net']
const DEFAULT_TTL = 600
const MAX_TTL = 604_800

let ids = 556_507_778
export const timeOf = (date: Date) => date.toISOString().replace('T', ' ').slice(0, 19)

const RULES = {
  id: 'RecordId',
  name: 'Name',
  type: 'Type',
  line: 'LineId',
  times: ['UpdatedOn'],
  missing: () => invalid('RecordId', 'The record number is invalid.'),
  clash: () => failure('InvalidParameter.OperateFailed', 'The record conflicts with others of its name.'),
  twins: {
    identity: ({ Type, Value, MX }: DnspodRecord) => `${Type} ${MX} ${Value}`,
    refuse: () => failure('InvalidParameter.DomainRecordExist', 'The record already exists.'),
  },
} as const

export class DnspodDomain extends RecordZone<DnspodRecord> {
  readonly id = ++ids
  /** Seconds; the free plan has 600. */
  readonly minTtl: number
  readonly createdOn = timeOf(new Date())

  constructor(name: string, { minTtl = 600 }: Body) {
    const own = { RecordType: 'NS', RecordLine: DEFAULT_LINE.Name, TTL: 86_400 }
    const made = NAME_SERVERS.map((server) => judge({ ...own, Value: `${server}.` }, { name, minTtl: 1 }))
    super(
      name,
      RULES,
      made.map((record) => ({ ...record, DefaultNS: true })),
    )
    this.minTtl = Number(minTtl)
  }

  /** Returns its id. */
  create(body: Body): number {
    return this.put(judge(body, this)).RecordId
  }

  /** What the body does not say is as of a new record, except the remark. */
  modify(id: unknown, body: Body): number {
    const { RecordId, Remark } = this.#changeable(id)
    return this.put({ ...judge({ Remark, ...body }, this), RecordId }).RecordId
  }

  override delete(id: unknown): void {
    super.delete(this.#changeable(id).RecordId)
  }

  /** At the apex a CNAME may have all others next to it but addresses. */
  protected override clashes(record: DnspodRecord): boolean {
    const served = [record, ...this.siblings(record)].filter(({ Status }) => Status === 'ENABLE')
    const isInTheWay = ({ Type }: DnspodRecord) =>
      record.Name === '@' ? ADDRESSES.has(Type) : Type !== 'CNAME'
    const hasAlias = served.some(({ Type }) => Type === 'CNAME')
    return record.Status === 'ENABLE' && hasAlias && served.some(isInTheWay)
  }

  #changeable(id: unknown): DnspodRecord {
    const record = this.get(id)
    if (record.DefaultNS) throw failure('FailedOperation', 'The default NS records cannot be changed.')
    return record
  }
}

function judge(body: Body, domain: { name: string; minTtl: number }): DnspodRecord {
  const { RecordType, RecordLine, RecordLineId, SubDomain = '@', Weight = 0, TTL = DEFAULT_TTL } = body
  const { Status = 'ENABLE', Remark = '' } = body
  const Type = textOf(RecordType)
  if (!TYPES.has(Type)) throw invalid('RecordType', 'The record type is incorrect.')
  const line = LINES.find(({ Name, LineId }) =>
    RecordLineId === undefined ? Name === RecordLine : LineId === RecordLineId,
  )
  if (line === undefined) throw invalid('RecordLine', 'The record line is incorrect.')
  const MX = WITH_PRIORITY.has(Type) ? body['MX'] : 0
  if (!isPort(MX)) throw invalid('Mx', 'The MX priority is incorrect.')
  if (Status !== 'ENABLE' && Status !== 'DISABLE') throw badValue('Status')
  if (!isInteger(Weight, 0, 100)) throw badValue('Weight')
  if (!isInteger(TTL, 1, MAX_TTL)) throw badValue('TTL')
  if (TTL < domain.minTtl)
    throw failure('LimitExceeded.RecordTtlLimit', 'The TTL value exceeds the limit of the package.')
  return {
    RecordId: ++ids,
    Name: nameOf(SubDomain, domain.name),
    Type,
    Value: valueOf(Type, textOf(body['Value']), MX),
    Line: line.Name,
    LineId: line.LineId,
    Weight: Weight === 0 ? null : Weight,
    MX,
    TTL,
    Status,
    Remark: textOf(Remark),
    UpdatedOn: timeOf(new Date()),
    MonitorStatus: '',
    DefaultNS: false,
  }
}

/** Every name is taken for a relative one. */
function nameOf(subDomain: unknown, domain: string): string {
  const name = textOf(subDomain).toLowerCase()
  const isGood = name === '@' || /^(\*|[a-z0-9_-]{1,63})(\.([a-z0-9_-]{1,63}|\*))*$/.test(name)
  if (!isGood || name.length + domain.length > 252) throw invalid('Subdomain', 'The subdomain is incorrect.')
  return name
}

/** Texts stay as they are, and names are taken for absolute ones. There is no null MX. */
function valueOf(Type: string, given: string, MX: number): string {
  const Value = dotted(Type, given)
  const isGood = Type.endsWith('URL')
    ? /^https?:\/\/\S+$/.test(Value)
    : readType(Type) === null || isData(Type, rdataOf({ Type, Value, MX }))
  if (given === '' || !isGood || (Type === 'MX' && Value === '.'))
    throw invalid('RecordValue', 'The record value is invalid.')
  return Value
}

export function rdataOf({ Type, Value, MX }: Pick<DnspodRecord, 'Type' | 'Value' | 'MX'>): string {
  if (Type === 'TXT') return rdataOfEither(Value)
  return WITH_PRIORITY.has(Type) ? `${MX} ${Value}` : Value
}
