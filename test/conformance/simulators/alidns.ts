import { randomUUID } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import type { Routing } from '../../../dns/names/rrset.ts'
import { bytesOfText } from '../../../dns/text/text.ts'
import { readType, typeOf, type RecordType } from '../../../dns/types/index.ts'
import { withHalf } from '../subjects/subject-jobs.ts'
import { Refused, json, type Body } from './answers.ts'
import { isData, isInteger } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import type { Job, Task, TaskResult } from './jobs.ts'
import { ENDS_IN_NAME, dotted, rdataOfText } from './rdata.ts'
import { RecordZone } from './record-zone.ts'
import type { SimulatorRequest } from './server.ts'
import { sha256, signedBy, type SignatureScheme, type SigningKeys } from './signatures.ts'

/** All parameters are texts. */
type Params = Record<string, string>

interface AlidnsRecord {
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
  /** In effect where the load is balanced. */
  Weight: number
  LbaStatus: boolean
  /** Missing: none. */
  Remark?: string
  CreateTimestamp: number
  UpdateTimestamp: number
}

const failure = (status: number, Code: string, Message: string) =>
  new Refused(
    json(status, {
      RequestId: randomUUID().toUpperCase(),
      HostId: 'alidns.aliyuncs.com',
      Code,
      Message,
      Recommend: `https://api.alibabacloud.com/troubleshoot?q=${Code}`,
    }),
  )
const invalid = (message: string) => failure(400, 'InvalidParameter', message)
const missing = (name: string) => failure(400, 'MissingParameter', `${name} is mandatory for this action.`)
const duplicate = failure(400, 'DomainRecordDuplicate', 'The DNS record already exists.')

const LINES = new Set(['default', 'telecom', 'unicom', 'mobile', 'oversea'])
const TYPES = new Set('A AAAA CAA CNAME MX NS SRV TXT REDIRECT_URL FORWARD_URL'.split(' '))
const LABELS = /^(\*|[a-z0-9_\u4e00-\u9fff-]{1,63})(\.[a-z0-9_\u4e00-\u9fff-]{1,63})*$/
const MAX_TTL = 86_400
const MAX_TEXT = 512
const MAX_REMARK = 50

let ids = 17_606_200_807_158_784n

const identityOf = ({ RR, Type, Line, Value, Priority }: AlidnsRecord) =>
  `${RR} ${Type} ${Line} ${Priority} ${Value}`

const RULES = {
  id: 'RecordId',
  name: 'RR',
  type: 'Type',
  line: 'Line',
  times: ['CreateTimestamp', 'UpdateTimestamp'],
  missing: () => failure(400, 'DomainRecordNotBelongToUser', 'The DNS record does not belong to this user.'),
  clash: () => failure(400, 'DomainRecordConflict', 'The DNS record conflicts with other records.'),
  twins: { identity: identityOf, refuse: () => duplicate },
} as const

class AlidnsDomain extends RecordZone<AlidnsRecord> {
  readonly id = randomUUID()
  /** Seconds; 600 except in the more expensive plans. */
  readonly minTtl: number

  constructor(name: string, { minTtl = 600 }: Body) {
    super(name, RULES)
    this.minTtl = Number(minTtl)
  }

  add(params: Params): AlidnsRecord {
    const now = Date.now()
    return this.put({
      RecordId: String((ids += 4096n)),
      DomainName: this.name,
      ...this.#judge(params),
      Status: 'ENABLE',
      Locked: false,
      Weight: 1,
      LbaStatus: false,
      CreateTimestamp: now,
      UpdateTimestamp: now,
    })
  }

  /** What is left out is as of a new record, except status, remark and weight. What changes nothing is refused. */
  update(id: string, params: Params): void {
    const { Priority: _, ...kept } = this.get(id)
    const wanted: AlidnsRecord = { ...kept, ...this.#judge(params), UpdateTimestamp: Date.now() }
    if (identityOf(wanted) === identityOf(this.get(id)) && wanted.TTL === kept.TTL) throw duplicate
    this.put(wanted)
  }

  setStatus(id: string, status: string | undefined): void {
    if (status !== 'Enable' && status !== 'Disable') throw invalid('The specified Status is invalid.')
    this.put({ ...this.get(id), Status: status === 'Enable' ? 'ENABLE' : 'DISABLE' })
  }

  /** '' removes it. */
  setRemark(id: string, remark: string): void {
    const { Remark: _, ...bare } = this.get(id)
    if (remark.length > MAX_REMARK) throw invalid(`A remark has at most ${MAX_REMARK} characters.`)
    this.put({ ...bare, ...(remark !== '' && { Remark: remark }) })
  }

  protected override clashes(record: AlidnsRecord): boolean {
    const served = [record, ...this.siblings(record)].filter(({ Status }) => Status === 'ENABLE')
    return record.Status === 'ENABLE' && served.length > 1 && served.some(({ Type }) => Type === 'CNAME')
  }

  #judge({ RR, Type = '', Value = '', TTL = '600', Priority, Line = 'default' }: Params) {
    if (!TYPES.has(Type)) throw invalid(`The specified Type ${Type} is invalid.`)
    if (!LINES.has(Line)) throw failure(400, 'UnsupportedLine', 'The specified line is not supported.')
    if (RR === undefined) throw missing('RR')
    const rr = RR.toLowerCase()
    if ((rr !== '@' && !LABELS.test(rr)) || rr.length + this.name.length > 252)
      throw failure(400, 'InvalidRR.Format', 'The format of the specified host record is invalid.')
    // Those of the domain itself are Alibaba Cloud's own, and not listed.
    if (Type === 'NS' && rr === '@') throw failure(400, 'InvalidRR.NSEmpty', 'An NS record cannot be at @.')
    const [ttl, priority] = [Number(TTL), Number(Priority)]
    if (!isInteger(ttl, this.minTtl, MAX_TTL))
      throw failure(400, 'SubDomainInvalid.TTL', 'The specified TTL is invalid for the plan.')
    if (Type === 'MX' && !isInteger(priority, 1, 50))
      throw invalid('The priority of an MX record is from 1 to 50.')
    const hasPriority = Type === 'MX' && { Priority: priority }
    return { RR: rr, Type, Value: valueOf(Type, Value), ...hasPriority, TTL: ttl, Line }
  }
}

/** Texts lose their quotes and the spaces around; names are absolute and shown without the final dot. */
function valueOf(Type: string, value: string): string {
  if (Type === 'TXT') {
    const text = value.replaceAll('"', '').trim()
    if (text === '' || Buffer.byteLength(text) > MAX_TEXT) throw invalid('The specified Value is invalid.')
    return text
  }
  const Value = ENDS_IN_NAME.has(Type) && !/(^| )\.$/.test(value) ? value.replace(/\.$/, '') : value
  const isGood =
    readType(Type) === null
      ? /^https?:\/\/\S+$/.test(value)
      : isData(Type, rdataOf({ Type, Value, Priority: 1 }))
  // There is no null MX.
  if (!isGood || Value === '.') throw invalid('The specified Value is invalid.')
  return Value
}

function rdataOf({ Type, Value, Priority }: Pick<AlidnsRecord, 'Type' | 'Value' | 'Priority'>): string {
  if (Type === 'TXT') return rdataOfText(Value)
  return Type === 'MX' ? `${Priority} ${dotted(Type, Value)}` : dotted(Type, Value)
}

const VERSION = '2015-01-09'
const MAX_BATCH = 1000

const throttled = failure(400, 'Throttling.User', 'Request was denied due to user flow control.')
const notFound = failure(
  404,
  'InvalidAction.NotFound',
  'Specified api is not found, please check your url and method.',
)

/** ACS3-HMAC-SHA256. */
export const ACS3: SignatureScheme = {
  algorithm: 'ACS3-HMAC-SHA256',
  separator: ',',
  time: { header: 'x-acs-date', format: 'iso', maxSkewSeconds: 15 * 60 },
  timeInHeader: true,
  needed: [
    'host',
    ...'action content-sha256 date signature-nonce version'.split(' ').map((x) => `x-acs-${x}`),
  ],
  refuse: {
    form: failure(400, 'IncompleteSignature', 'The request signature does not conform to the standards.'),
    key: failure(404, 'InvalidAccessKeyId.NotFound', 'Specified access key is not found.'),
    time: failure(400, 'InvalidTimeStamp.Expired', 'Specified time stamp or date value is expired.'),
    signature: failure(
      400,
      'SignatureDoesNotMatch',
      'Specified signature is not matched with our calculation. server string to sign is:ACS3-HMAC-SHA256',
    ),
    change: failure(
      403,
      'Forbidden.RAM',
      "User not authorized to operate on the specified resource, or this API doesn't support RAM.",
    ),
  },
}

const headerOf = ({ headers }: Pick<SimulatorRequest, 'headers'>, name: string) =>
  String(headers[`x-acs-${name}`] ?? '')
const signed = signedBy(ACS3, 'LTAI', (request) => !headerOf(request, 'action').startsWith('Describe'))
const nonces = new Set<string>()

function authenticate(request: SimulatorRequest, keys: SigningKeys): void {
  const nonce = headerOf(request, 'signature-nonce')
  if (headerOf(request, 'version') !== VERSION)
    throw failure(400, 'InvalidVersion', 'Specified parameter Version is not valid.')
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(headerOf(request, 'date')))
    throw failure(400, 'InvalidTimeStamp.Format', 'Specified time stamp or date value is not well formatted.')
  if (nonces.has(nonce))
    throw failure(400, 'SignatureNonceUsed', 'Specified signature nonce was used already.')
  if (headerOf(request, 'content-sha256') !== sha256(request.bytes)) throw ACS3.refuse.signature
  signed.authenticate(request, keys)
  nonces.add(nonce)
}

type AlidnsCall = Call<AlidnsDomain, SigningKeys>

function domainOf({ zones }: AlidnsCall, wanted: string | undefined): AlidnsDomain {
  if (wanted === undefined)
    throw failure(400, 'MissingDomainName', 'DomainName is mandatory for this action.')
  const found = zones.find(({ name }) => [name, domainToUnicode(name)].includes(wanted))
  if (found !== undefined) return found
  throw failure(
    400,
    'InvalidDomainName.NoExist',
    'The specified domain name does not exist. Refresh the page and try again.',
  )
}

/** Does something with a record that is named by its id alone. */
const withRecord =
  (run: (domain: AlidnsDomain, id: string, params: Params) => void) =>
  ({ zones }: AlidnsCall, params: Params) => {
    const { RecordId = '' } = params
    const domain = zones.find((zone) => zone.has(RecordId))
    if (domain === undefined) throw RULES.missing()
    run(domain, RecordId, params)
    return { RecordId }
  }

const shown = ({ id, name, minTtl, records }: AlidnsDomain) => ({
  DomainId: id,
  DomainName: domainToUnicode(name),
  PunyCode: name,
  AliDomain: true,
  VersionCode: minTtl === 600 ? 'mianfei' : 'version_enterprise_advanced',
  VersionName: 'Alibaba Cloud DNS',
  RecordCount: records.length,
  DnsServers: { DnsServer: ['dns9.hichina.com', 'dns10.hichina.com'] },
})

function pageOf<T>(all: T[], { PageNumber = '1', PageSize = '20' }: Params, most: number) {
  const [page, size] = [Number(PageNumber), Number(PageSize)]
  if (!isInteger(page, 1, Infinity)) throw invalid('The specified PageNumber is invalid.')
  if (!isInteger(size, 1, most)) throw invalid(`The specified PageSize is invalid: it is from 1 to ${most}.`)
  const items = all.slice((page - 1) * size, page * size)
  return { PageNumber: page, PageSize: size, TotalCount: all.length, items }
}

function listDomains({ zones }: AlidnsCall, params: Params): object {
  const { KeyWord = '', SearchMode } = params
  const isExact = SearchMode === 'EXACT'
  const wanted = zones.filter(({ name }) => (isExact ? name === KeyWord : name.includes(KeyWord)))
  const { items, ...page } = pageOf(wanted, params, 100)
  return { ...page, Domains: { Domain: items.map(shown) } }
}

function describeDomain(call: AlidnsCall, { DomainName }: Params): object {
  const domain = domainOf(call, DomainName)
  const isPlain = domain.minTtl === 600
  return {
    ...shown(domain),
    RecordLines: { RecordLine: [] },
    ...(!isPlain && { MinTtl: domain.minTtl }),
    AvailableTtls: { AvailableTtl: isPlain ? [] : ['1', '10', '60', '600', '86400'] },
  }
}

function addDomain({ sim }: AlidnsCall, { DomainName = '' }: Params): object {
  if (!/^([a-z0-9_-]+\.)+[a-z0-9-]+$/.test(DomainName))
    throw failure(400, 'InvalidDomainName.Format', 'The format of the specified domain name is invalid.')
  if (sim.zones.has(DomainName))
    throw failure(400, 'InvalidDomainName.Duplicate', 'The specified domain name already exists.')
  return shown(sim.createZone(DomainName))
}

/** Names and values are compared in part, unless the request says otherwise. */
function listRecords(call: AlidnsCall, params: Params): object {
  const { DomainName, SearchMode, KeyWord, RRKeyWord, TypeKeyWord, ValueKeyWord, Type, Line, Status } = params
  const isExact = SearchMode === 'EXACT' || SearchMode === 'COMBINATION'
  const fits = (text: string, wanted = text) =>
    isExact ? text === wanted : text.includes(wanted.toLowerCase())
  const wanted = domainOf(call, DomainName).records.filter(
    (record) =>
      (KeyWord === undefined || fits(record.RR, KeyWord) || fits(record.Value, KeyWord)) &&
      (RRKeyWord === undefined || fits(record.RR, RRKeyWord)) &&
      (ValueKeyWord === undefined || fits(record.Value, ValueKeyWord)) &&
      (TypeKeyWord ?? Type ?? record.Type).toUpperCase() === record.Type &&
      (Line ?? record.Line) === record.Line &&
      (Status ?? record.Status).toUpperCase() === record.Status,
  )
  const { items, ...page } = pageOf(wanted, params, 500)
  return { ...page, DomainRecords: { Record: items } }
}

/** `DomainRecordInfo.1.Rr` and so on, in their order. */
function infosOf(params: Params): Params[] {
  const infos = new Map<number, Params>()
  for (const [name, value] of Object.entries(params)) {
    const [, n, field = ''] = /^DomainRecordInfo\.(\d+)\.(\w+)$/.exec(name) ?? []
    if (n !== undefined) infos.set(Number(n), { ...infos.get(Number(n)), [field]: value })
  }
  return [...infos].toSorted(([a], [b]) => a - b).map(([, info]) => info)
}

/** Ignores what comes after a thousand. */
function addBatch(call: AlidnsCall, params: Params): object {
  const infos = infosOf(params).slice(0, MAX_BATCH)
  if (infos.length === 0) throw missing('DomainRecordInfo')
  if (params['Type'] !== 'RR_ADD') throw invalid(`The specified Type ${params['Type']} is not for records.`)
  const tasks = infos.map((info): Task => {
    const { Domain, Rr, Ttl, ...rest } = info
    const record = { Priority: '10', ...rest, ...(Rr && { RR: Rr }), ...(Ttl && { TTL: Ttl }) }
    return { info, run: () => domainOf(call, Domain).add(record).RecordId }
  })
  return { TaskId: call.sim.jobs.start('RR_ADD', tasks).id }
}

function countBatch({ sim }: AlidnsCall, { TaskId }: Params): object {
  const job = sim.jobs.ask(TaskId)
  if (job === undefined) return { Status: -1, TotalCount: 0, SuccessCount: 0, FailedCount: 0 }
  const done = job.results ?? []
  return {
    Status: job.results === null ? 0 : 1,
    TotalCount: job.tasks.length,
    SuccessCount: done.filter(({ ok }) => ok).length,
    FailedCount: done.filter(({ ok }) => !ok).length,
    TaskId: job.id,
    BatchType: job.type,
    Reason: '',
  }
}

/** Everything about a job that is done, and nothing before. */
function describeBatch({ sim }: AlidnsCall, params: Params): object {
  const job = sim.jobs.ask(params['TaskId'])
  const details = job?.results?.map((result, i) => detailOf(result, job, i)) ?? []
  const { items, ...page } = pageOf(details, params, 100)
  return { ...page, BatchResultDetails: { BatchResultDetail: items } }
}

function detailOf(result: TaskResult, { tasks, type }: Job, i: number): object {
  const reason = result.ok
    ? ''
    : ((result.refusal?.['Message'] as string | undefined) ?? 'An internal error occurred.')
  return {
    ...tasks[i]?.info,
    Status: result.ok,
    BatchType: type,
    RecordId: result.ok ? result.value : '',
    OperateDateStr: '2019-08-22 18:02:58',
    Reason: reason,
  }
}

const ACTIONS: Record<string, (call: AlidnsCall, params: Params) => object> = {
  DescribeDomains: listDomains,
  DescribeDomainInfo: describeDomain,
  AddDomain: addDomain,
  DeleteDomain: (call, { DomainName }) => {
    const { name } = domainOf(call, DomainName)
    call.sim.deleteZone(name)
    return { DomainName: name }
  },
  DescribeDomainRecords: listRecords,
  AddDomainRecord: (call, params) => ({
    RecordId: domainOf(call, params['DomainName']).add(params).RecordId,
  }),
  UpdateDomainRecord: withRecord((domain, id, params) => domain.update(id, params)),
  DeleteDomainRecord: withRecord((domain, id) => domain.delete(id)),
  SetDomainRecordStatus: withRecord((domain, id, { Status }) => domain.setStatus(id, Status)),
  UpdateDomainRecordRemark: withRecord((domain, id, { Remark = '' }) => domain.setRemark(id, Remark)),
  OperateBatchDomain: addBatch,
  DescribeBatchResultCount: countBatch,
  DescribeBatchResultDetail: describeBatch,
}

function act(call: AlidnsCall) {
  const run = ACTIONS[headerOf(call.request, 'action')]
  if (run === undefined) throw notFound
  const answer = run(call, Object.fromEntries(call.query))
  return json(200, { ...answer, RequestId: randomUUID().toUpperCase() })
}

const routingOf = (line: string): Routing | null => (line === 'default' ? null : { key: line, line })

function paramsOf(type: RecordType, value: string): Params {
  if (type === 'TXT') return { Value: bytesOfText(value).toString() }
  const rdata = typeOf(type).write(value)
  const [priority = '', rest = ''] = rdata.split(/ (.*)/)
  return type === 'MX' ? { Priority: priority, Value: rest } : { Value: rdata }
}

/** Alibaba Cloud DNS. `perSecond`: calls. */
export default defineDialect({
  ...signed,
  authenticate,
  headers: (keys, request) => {
    const own = {
      'x-acs-version': VERSION,
      'x-acs-content-sha256': sha256(request.bytes),
      'x-acs-signature-nonce': randomUUID(),
    }
    const headers = { ...own, ...request.headers }
    return { ...own, ...signed.headers(keys, { ...request, headers }) }
  },
  newZone: (name, given) => new AlidnsDomain(name, given),
  limits: [{ option: 'perSecond', seconds: 1, refuse: () => throttled }],
  routes: { 'GET /': act, 'POST /': act },
  errors: { noRoute: notFound },
  suite: {
    credentials: ({ keyId, secret }) => ({ accessKeyId: keyId, accessKeySecret: secret }),
    secret: 'accessKeySecret',
    wrong: '7f3a'.repeat(8),
    given: { minTtl: 1 },
    seed: (domain, records) => {
      for (const { name, type, value, ttl, routing, member } of records) {
        const place = { RR: name, Type: type, TTL: String(ttl), Line: routing?.line ?? 'default' }
        const { RecordId } = domain.add({ ...paramsOf(type, value), ...place })
        if (member.comment !== undefined) domain.setRemark(RecordId, member.comment)
        if (member.disabled === true) domain.setStatus(RecordId, 'Disable')
      }
    },
    held: (domain) =>
      domain.records.map((record) => ({
        name: record.RR,
        type: record.Type,
        rdata: rdataOf(record),
        routing: routingOf(record.Line),
        ttl: record.TTL,
        disabled: record.Status === 'DISABLE',
        comment: record.Remark ?? null,
      })),
    foreign: (domain) => {
      const made = { RR: 'foreign', Type: 'A', TTL: '3600' }
      domain.setRemark(domain.add({ ...made, Value: '192.0.2.1' }).RecordId, 'do not touch')
      for (const Value of ['192.0.2.200', '192.0.2.201'])
        domain.setStatus(domain.add({ ...made, Value }).RecordId, 'Disable')
      domain.add({ RR: 'jump', Type: 'REDIRECT_URL', TTL: '3600', Value: 'http://www.example.net/' })
      return () => domain.lasting
    },
    extra: (domain) => {
      for (const [i, Value] of ['192.0.2.1', '192.0.2.2'].entries()) {
        const made = domain.add({ RR: 'extra', Type: 'A', TTL: '3600', Value })
        domain.hold({ ...made, Weight: 10 * (i + 1), LbaStatus: true })
      }
      return () => domain.lasting
    },
    faults: {
      unauthorized: ACS3.refuse.key,
      forbidden: ACS3.refuse.change,
      rateLimited: throttled,
      failure: failure(
        503,
        'ServiceUnavailable',
        'The request has failed due to a temporary failure of the server.',
      ),
      refused: invalid,
    },
    more: ({ faults }, _, { jobs }) => ({
      routings: [
        { key: 'telecom', line: 'telecom' },
        { key: 'unicom', line: 'unicom' },
      ],
      faults: withHalf(faults, jobs),
    }),
  },
})
