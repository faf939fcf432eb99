import { randomUUID } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import type { Routing } from '../../../dns/names/rrset.ts'
import { bytesOfText } from '../../../dns/text/text.ts'
import { readType, typeOf, type RecordType } from '../../../dns/types/index.ts'
import { withHalf } from '../subjects/subject-jobs.ts'
import { Refused, isBody, json, textOf, type Body } from './answers.ts'
import { isData, isInteger, isPort } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import type { Job, Task, TaskResult } from './jobs.ts'
import { dotted, rdataOfEither } from './rdata.ts'
import { RecordZone } from './record-zone.ts'
import type { SimulatorRequest } from './server.ts'
import { signedBy, type SignatureScheme, type SigningKeys } from './signatures.ts'

interface DnspodRecord {
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
const failure = (Code: string, Message: string) =>
  new Refused(json(200, { Response: { Error: { Code, Message }, RequestId: randomUUID() } }))
const invalid = (what: string, message: string) => failure(`InvalidParameter.${what}Invalid`, message)
const badValue = (name: string) =>
  failure('InvalidParameterValue', `The value of parameter \`${name}\` is not valid.`)

const DEFAULT_LINE = { Name: '默认', LineId: '0' }
const LINES = [
  DEFAULT_LINE,
  { Name: '境外', LineId: '3=0' },
  { Name: '电信', LineId: '10=0' },
  { Name: '联通', LineId: '10=1' },
]
const TYPES = new Set('A CNAME MX TXT NS AAAA SPF SRV CAA HTTPS SVCB 显性URL 隐性URL'.split(' '))
const ADDRESSES = new Set(['A', 'AAAA', '显性URL', '隐性URL'])
const WITH_PRIORITY = new Set(['MX', 'HTTPS', 'SVCB'])
const NAME_SERVERS = ['source.dnspod.net', 'low.dnspod.net']
const DEFAULT_TTL = 600
const MAX_TTL = 604_800

let ids = 556_507_778
const timeOf = (date: Date) => date.toISOString().replace('T', ' ').slice(0, 19)

const RULES = {
  id: 'RecordId',
  name: 'Name',
  type: 'Type',
  times: ['UpdatedOn'],
  missing: () => invalid('RecordId', 'The record number is invalid.'),
  clash: () => failure('InvalidParameter.OperateFailed', 'The record conflicts with others of its name.'),
} as const

/** Records of different lines do not affect each other. */
class DnspodDomain extends RecordZone<DnspodRecord> {
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

  override siblings(record: DnspodRecord): DnspodRecord[] {
    return super.siblings(record).filter(({ LineId }) => LineId === record.LineId)
  }

  override put(record: DnspodRecord): DnspodRecord {
    const identityOf = ({ Type, Value, MX }: DnspodRecord) => `${Type} ${MX} ${Value}`
    if (this.siblings(record).some((other) => identityOf(other) === identityOf(record)))
      throw failure('InvalidParameter.DomainRecordExist', 'The record already exists.')
    return super.put(record)
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

function rdataOf({ Type, Value, MX }: Pick<DnspodRecord, 'Type' | 'Value' | 'MX'>): string {
  if (Type === 'TXT') return rdataOfEither(Value)
  return WITH_PRIORITY.has(Type) ? `${MX} ${Value}` : Value
}

const VERSION = '2021-03-23'
const MAX_PAGE = 3000
const MAX_BATCH = 5000
const USER = { Nick: 'recorded', Id: 1, Status: 'enabled', Email: 'user@example.com' }

const tooMany = failure(
  'RequestLimitExceeded',
  'Your current request times equals to `21` in a second, which exceeds the frequency limit `20` for a second. Please reduce the frequency of calls.',
)
const noCall = failure('InvalidParameter', 'Url key and value is empty')
const authFailure = (code: string, message: string) => failure(`AuthFailure.${code}`, message)

/** TC3-HMAC-SHA256. */
export const TC3: SignatureScheme = {
  algorithm: 'TC3-HMAC-SHA256',
  prefix: 'TC3',
  lowerCase: true,
  time: { header: 'x-tc-timestamp', format: 'seconds', maxSkewSeconds: 300 },
  scope: (day) => `${day}/dnspod/tc3_request`,
  needed: ['content-type', 'host'],
  refuse: {
    form: authFailure('InvalidAuthorization', 'The `Authorization` in the headers is invalid.'),
    key: authFailure('SecretIdNotFound', 'The SecretId is not found, please ensure that it is correct.'),
    time: authFailure('SignatureExpire', 'The signature has expired.'),
    signature: authFailure('SignatureFailure', 'The provided credentials could not be validated.'),
    change: authFailure('UnauthorizedOperation', 'You are not authorized to perform this operation.'),
  },
}

const actionOf = ({ headers }: SimulatorRequest) => textOf(headers['x-tc-action'])
const signed = signedBy(TC3, 'AKID', (request) => !actionOf(request).startsWith('Describe'))

function authenticate(request: SimulatorRequest, keys: SigningKeys): void {
  const { headers } = request
  if (headers.authorization === undefined) throw noCall
  signed.authenticate(request, keys)
  if (!textOf(headers['content-type']).startsWith('application/json'))
    throw failure('UnsupportedProtocol', 'Only application/json is taken.')
}

type DnspodCall = Call<DnspodDomain, SigningKeys>

function domainOf({ zones }: DnspodCall, { Domain, DomainId }: Body): DnspodDomain {
  const found = zones.find(({ id, name }) =>
    DomainId === undefined ? [name, domainToUnicode(name)].includes(textOf(Domain)) : id === DomainId,
  )
  if (found === undefined)
    throw failure('InvalidParameterValue.DomainNotExists', 'The domain does not exist.')
  return found
}

function pageOf<T>(all: T[], { Offset = 0, Limit = MAX_PAGE }: Body): T[] {
  if (!isInteger(Offset, 0, Infinity)) throw invalid('Offset', 'The offset of the page is incorrect.')
  if (!isInteger(Limit, 1, MAX_PAGE))
    throw failure(
      'InvalidParameter.ResultMoreThan500',
      `The limit of the page must be between 1 and ${MAX_PAGE}.`,
    )
  return all.slice(Offset, Offset + Limit)
}

/** The same in a list and alone. */
const common = ({ id, name, records, minTtl, createdOn }: DnspodDomain) => ({
  DomainId: id,
  Punycode: name,
  TTL: minTtl,
  Grade: minTtl < 600 ? 'DP_ULTRA' : 'DP_FREE',
  Owner: USER.Email,
  RecordCount: records.length,
  CreatedOn: createdOn,
  UpdatedOn: createdOn,
})

const listed = (domain: DnspodDomain) => ({
  ...common(domain),
  Name: domainToUnicode(domain.name),
  Status: 'ENABLE',
  DNSStatus: 'DNSERROR',
  EffectiveDNS: NAME_SERVERS,
})

/** Alone, some has another name or case. */
const shown = (domain: DnspodDomain) => ({
  ...common(domain),
  Domain: domainToUnicode(domain.name),
  Status: 'enable',
  DnsStatus: 'dnserror',
  DnspodNsList: NAME_SERVERS,
  ActualNsList: NAME_SERVERS,
})

function listDomains({ zones }: DnspodCall, body: Body): object {
  const keyword = textOf(body['Keyword'])
  const wanted = zones.filter(({ name }) => name.includes(keyword) || domainToUnicode(name).includes(keyword))
  if (wanted.length === 0)
    throw failure('ResourceNotFound.NoDataOfDomain', 'There are no domains on the list.')
  const all = wanted.length
  return {
    DomainCountInfo: { DomainTotal: all, AllTotal: all, MineTotal: all, ShareTotal: 0, PauseTotal: 0 },
    DomainList: pageOf(wanted, body).map(listed),
  }
}

/** A list without records is a failure, unless the request says otherwise. */
function listRecords(call: DnspodCall, body: Body): object {
  const { Subdomain, RecordType, RecordLine, RecordLineId, Keyword } = body
  const wanted = domainOf(call, body).records.filter(
    ({ Name, Type, Line, LineId, Value }) =>
      (Subdomain ?? Name) === Name &&
      (RecordType ?? Type) === Type &&
      (RecordLineId === undefined ? (RecordLine ?? Line) === Line : RecordLineId === LineId) &&
      [Name, Value].some((text) => text.includes(textOf(Keyword))),
  )
  const RecordList = pageOf(wanted, { Limit: 100, ...body })
  if (RecordList.length === 0 && body['ErrorOnEmpty'] !== 'no')
    throw failure('ResourceNotFound.NoDataOfRecord', 'No records on the list.')
  const SubdomainCount = new Set(wanted.map(({ Name }) => Name)).size
  return {
    RecordCountInfo: { SubdomainCount, TotalCount: wanted.length, ListCount: RecordList.length },
    RecordList,
  }
}

function createDomain({ sim }: DnspodCall, { Domain }: Body): object {
  const name = textOf(Domain)
  if (!/^([a-z0-9_-]+\.)+[a-z0-9-]+$/.test(name)) throw invalid('Domain', 'The domain name is incorrect.')
  if (sim.zones.has(name)) throw failure('FailedOperation.DomainExists', 'The domain is already on the list.')
  const { id } = sim.createZone(name)
  return { DomainInfo: { Id: id, Domain: name, Punycode: name, GradeNsList: NAME_SERVERS } }
}

function createBatch(call: DnspodCall, body: Body): object {
  const { DomainIdList, RecordList } = body as { DomainIdList: string[]; RecordList: Body[] }
  const domains = DomainIdList.map((id) => domainOf(call, { DomainId: Number(id) }))
  const tasks = RecordList.flatMap((given) => {
    // These three are documented, and not supported.
    const { Enabled: _, Weight: __, Remark: ___, ...record } = given
    return domains.map((domain): Task => ({
      info: { DomainId: domain.id, Domain: domain.name, record },
      run: () => domain.create({ RecordLine: DEFAULT_LINE.Name, ...record }),
    }))
  })
  if (tasks.length === 0 || tasks.length > MAX_BATCH)
    throw failure('InvalidParameter.BatchRecordCountLimit', `A task has 1 to ${MAX_BATCH} records.`)
  const job = call.sim.jobs.start('record_add', tasks)
  return { JobId: job.id, DetailList: detailsOf({ ...job, results: null }, 'waiting') }
}

/** The records of a job by domain. */
function detailsOf({ tasks, results }: Job, Status: string): object[] {
  const resultOf = (result: TaskResult | undefined) => {
    if (result === undefined) return { Status, ErrMsg: null }
    if (result.ok) return { RecordId: result.value, Status: 'ok', ErrMsg: null }
    const told = result.refusal as { Response: { Error: { Message: string } } } | null
    const ErrMsg = told?.Response.Error.Message ?? 'The system is busy. Please try again later.'
    return { RecordId: null, Status: 'fail', ErrMsg }
  }
  const records = tasks.map(({ info: { record, ...domain } }, Id) => ({
    domain,
    shown: { ...(record as Body), Id, Operation: 'plus', ...resultOf(results?.[Id]) },
  }))
  const byDomain = Map.groupBy(records, ({ domain }) => domain['DomainId'])
  return [...byDomain.values()].map((own, Id) => ({
    ...own[0]?.domain,
    RecordList: own.map(({ shown }) => shown),
    Id,
    DomainGrade: 'DP_FREE',
    ErrMsg: null,
    Status,
    Operation: null,
  }))
}

function describeBatch({ sim }: DnspodCall, { JobId }: Body): object {
  const job = sim.jobs.ask(JobId)
  if (job === undefined) throw failure('ResourceNotFound', 'The task does not exist.')
  const done = job.results ?? []
  return {
    DetailList: detailsOf(job, job.results === null ? 'running' : 'ok'),
    TotalCount: job.tasks.length,
    SuccessCount: done.filter(({ ok }) => ok).length,
    FailCount: done.filter(({ ok }) => !ok).length,
    JobType: job.type,
    CreatedAt: timeOf(job.createdAt),
  }
}

const DOMAIN = 'Domain! DomainId:integer'
const PAGE = 'Offset:integer Limit:integer'
const RECORD =
  'SubDomain RecordType! RecordLine! RecordLineId Value! MX:integer TTL:integer Weight:integer Status Remark GroupId:integer'

type Action = [takes: string, run: (call: DnspodCall, body: Body) => unknown]

/** With their parameters: `!` for what it needs, and the kind where it is not text. */
const ACTIONS: Record<string, Action> = {
  DescribeUserDetail: ['', () => ({ UserInfo: USER })],
  DescribeDomainList: [`Type ${PAGE} GroupId:integer Keyword`, listDomains],
  DescribeDomain: [DOMAIN, (call, body) => ({ DomainInfo: shown(domainOf(call, body)) })],
  CreateDomain: ['Domain! GroupId:integer IsMark', createDomain],
  DeleteDomain: [DOMAIN, (call, body) => call.sim.deleteZone(domainOf(call, body).name)],
  DescribeRecordList: [
    `${DOMAIN} Subdomain RecordType RecordLine RecordLineId GroupId:integer Keyword SortField SortType ${PAGE} ErrorOnEmpty`,
    listRecords,
  ],
  CreateRecord: [`${DOMAIN} ${RECORD}`, (call, body) => ({ RecordId: domainOf(call, body).create(body) })],
  ModifyRecord: [
    `${DOMAIN} RecordId:integer! ${RECORD}`,
    (call, body) => ({ RecordId: domainOf(call, body).modify(body['RecordId'], body) }),
  ],
  DeleteRecord: [
    `${DOMAIN} RecordId:integer!`,
    (call, body) => domainOf(call, body).delete(body['RecordId']),
  ],
  CreateRecordBatch: ['DomainIdList:list! RecordList:list!', createBatch],
  DescribeBatchTask: ['JobId:integer!', describeBatch],
}

const KINDS: Record<string, (value: unknown) => boolean> = {
  text: (value) => typeof value === 'string',
  integer: Number.isInteger,
  list: Array.isArray,
}

/** Throws Refused: what is missing, of another kind, or not known is refused before anything is done. */
function checkParameters(takes: string, body: Body): void {
  const known = new Map(
    takes.split(' ').map((item) => {
      const [name = '', kind = 'text'] = item.replace('!', '').split(':')
      return [name, { kind, isNeeded: item.endsWith('!') }] as const
    }),
  )
  for (const [name, { isNeeded }] of known)
    if (isNeeded && body[name] === undefined)
      throw failure('MissingParameter', `The request is missing the required parameter \`${name}\`.`)
  for (const [name, value] of Object.entries(body)) {
    const kind = known.get(name)?.kind
    if (kind === undefined) throw failure('UnknownParameter', `The parameter \`${name}\` is not recognized.`)
    if (KINDS[kind]?.(value) !== true)
      throw failure('InvalidParameter', `The value type of parameter \`${name}\` is not valid.`)
  }
}

/** Records of the default line without a weight have no routing. */
const routingOf = ({ Line: line, LineId, Weight: weight }: DnspodRecord): Routing | null => {
  if (weight !== null) return { key: `${LineId}|${weight}`, line, weight }
  return LineId === DEFAULT_LINE.LineId ? null : { key: LineId, line }
}

function bodyOf(type: RecordType, value: string): Body {
  const rdata = typeOf(type).write(value)
  const [priority, rest = ''] = rdata.split(/ (.*)/)
  if (WITH_PRIORITY.has(type)) return { MX: Number(priority), Value: rest }
  // Of plain texts the text alone, as most clients send it.
  return { Value: type === 'TXT' && /^[ -!#-[\]-~]+$/.test(value) ? bytesOfText(value).toString() : rdata }
}

/** DNSPod's API 3.0. `perSecond`: calls of one action. */
export default defineDialect({
  ...signed,
  authenticate,
  newZone: (name, given) => new DnspodDomain(name, given),
  limits: [{ option: 'perSecond', seconds: 1, scope: actionOf, refuse: () => tooMany }],
  routes: {
    'POST /': (call) => {
      const { request, body } = call
      if (request.headers['x-tc-version'] !== VERSION)
        throw failure('NoSuchVersion', 'The API version does not exist.')
      const [takes, run] = ACTIONS[actionOf(request)] ?? []
      if (takes === undefined || run === undefined)
        throw failure('InvalidAction', `The request action=\`${actionOf(request)}\` is invalid or not found.`)
      if (!isBody(body)) throw failure('InvalidParameter', 'The request body is not an object.')
      checkParameters(takes, body)
      return json(200, { Response: Object.assign({ RequestId: randomUUID() }, run(call, body)) })
    },
  },
  errors: {
    noRoute: noCall,
    notAllowed: noCall,
    badJson: failure('InvalidParameter', 'The request body is not JSON.'),
  },
  suite: {
    credentials: ({ keyId, secret }) => ({ secretId: keyId, secretKey: secret }),
    secret: 'secretKey',
    wrong: '7f3a'.repeat(8),
    missingZone: { id: '99999999', name: 'missing.test' },
    given: { minTtl: 1 },
    seed: (domain, records) => {
      for (const { name, type, value, ttl, routing, member } of records)
        domain.create({
          ...bodyOf(type, value),
          RecordType: type,
          SubDomain: name,
          RecordLine: routing?.line ?? DEFAULT_LINE.Name,
          ...(routing?.weight !== undefined && { Weight: routing.weight }),
          TTL: ttl,
          Status: member.disabled === true ? 'DISABLE' : 'ENABLE',
          Remark: member.comment ?? '',
        })
    },
    held: (domain) =>
      domain.added.map((record) => ({
        name: record.Name,
        type: record.Type,
        rdata: rdataOf(record),
        routing: routingOf(record),
        ttl: record.TTL,
        disabled: record.Status === 'DISABLE',
        comment: record.Remark,
      })),
    foreign: (domain) => {
      const made = { SubDomain: 'foreign', RecordType: 'A', RecordLine: DEFAULT_LINE.Name, TTL: 3600 }
      domain.create({ ...made, Value: '192.0.2.1', Remark: 'do not touch' })
      for (const Value of ['192.0.2.200', '192.0.2.201']) domain.create({ ...made, Value, Status: 'DISABLE' })
      domain.create({ ...made, RecordType: 'SPF', Value: 'v=spf1 -all' })
      domain.create({ ...made, SubDomain: 'jump', RecordType: '显性URL', Value: 'http://www.example.net/' })
      return () => domain.lasting
    },
    faults: {
      unauthorized: TC3.refuse.signature,
      forbidden: TC3.refuse.change,
      rateLimited: tooMany,
      failure: failure('InternalError', 'An internal error has occurred. Retry your request.'),
      refused: (reason) => failure('InvalidParameter.RecordValueInvalid', reason),
    },
    more: ({ faults }, _, { jobs }) => ({
      routings: [
        { key: '10=0', line: '电信' },
        { key: '0|20', line: '默认', weight: 20 },
      ],
      faults: withHalf(faults, jobs),
    }),
  },
})
