import { randomUUID } from 'node:crypto'
import { domainToUnicode } from 'node:url'
import type { Routing } from '../../../dns/names/rrset.ts'
import { bytesOfText } from '../../../dns/text/text.ts'
import { typeOf, type RecordType } from '../../../dns/types/index.ts'
import { withHalf } from '../subjects/subject-jobs.ts'
import { isBody, json, textOf, type Body } from './answers.ts'
import { isInteger } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import type { Job, Task, TaskResult } from './jobs.ts'
import {
  DEFAULT_LINE,
  DnspodDomain,
  NAME_SERVERS,
  WITH_PRIORITY,
  failure,
  invalid,
  rdataOf,
  timeOf,
  type DnspodRecord,
} from './dnspod-domain.ts'
import type { SimulatorRequest } from './server.ts'
import { signedBy, type SignatureScheme, type SigningKeys } from './signatures.ts'

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
    key: authFailure(
      'SecretIdNotFound',
      'The SecretId is not found, please ensure that your SecretId is correct.',
    ),
    time: authFailure('SignatureExpire', 'The signature has expired.'),
    signature: authFailure(
      'SignatureFailure',
      'The provided credentials could not be validated. Please check your signature is correct.',
    ),
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
