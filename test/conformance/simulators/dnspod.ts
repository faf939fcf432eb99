import { randomBytes, randomUUID } from 'node:crypto'
import { CallRate, isBody, json, orRefused, parse, textOf, type Body } from './answers.ts'
import { NAME_SERVERS, USER, info, listOf, listed, pageOf, shown } from './dnspod-answers.ts'
import { DnspodDomain, LINES, failure } from './dnspod-domain.ts'
import { DnspodJobs, detailsOf, type Task } from './dnspod-jobs.ts'
import { ACTIONS, checkParameters } from './dnspod-parameters.ts'
import { tc3Signature } from './dnspod-signature.ts'
import { startServer, type SimulatorAnswer, type SimulatorRequest, type SimulatorServer } from './server.ts'

export interface DnspodSimulator extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  secretId: string
  secretKey: string
  /** Of a key that may not change anything. */
  reader: { secretId: string; secretKey: string }
  jobs: DnspodJobs
  /** `minTtl`: 600, as of the free plan. */
  createDomain(name: string, minTtl?: number): DnspodDomain
  deleteDomain(name: string): void
  domainNames(): string[]
}

const VERSION = '2021-03-23'
const MAX_SKEW = 300
const MAX_BATCH = 5000
const actionOf = ({ headers }: SimulatorRequest) => String(headers['x-tc-action'] ?? '')

/** DNSPod's API 3.0 over a socket. `perSecond`: calls of one action that are taken in a second. */
export async function startDnspodSimulator({ perSecond = Infinity } = {}): Promise<DnspodSimulator> {
  const api = new Api(perSecond)
  const server = await startServer(
    (request) => orRefused(() => api.answer(request)),
    (request) => !actionOf(request).startsWith('Describe'),
  )
  return {
    ...server,
    apiUrl: server.url,
    ...api.owner,
    reader: api.reader,
    jobs: api.jobs,
    createDomain: (name, minTtl) => api.createDomain(name, minTtl),
    deleteDomain: (name) => void api.domains.delete(name),
    domainNames: () => [...api.domains.keys()],
  }
}

const newKey = () => ({
  secretId: `AKID${randomBytes(16).toString('hex')}`,
  secretKey: randomBytes(16).toString('hex'),
})

const AUTHORIZATION =
  /^TC3-HMAC-SHA256 Credential=([^/]+)\/(\d{4}-\d\d-\d\d)\/dnspod\/tc3_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/

export const signatureFailure = () =>
  failure(
    'AuthFailure.SignatureFailure',
    'The provided credentials could not be validated. Please check your signature is correct.',
  )
export const unauthorized = () =>
  failure('AuthFailure.UnauthorizedOperation', 'You are not authorized to perform this operation.')
export const tooMany = () =>
  failure(
    'RequestLimitExceeded',
    'Your current request times equals to `21` in a second, which exceeds the frequency limit `20` for a second. Please reduce the frequency of calls.',
  )
const noDomain = () => failure('InvalidParameterValue.DomainNotExists', 'The domain does not exist.')

type Handler = (body: Body) => Record<string, unknown>

class Api {
  /** By their ASCII names. */
  readonly domains = new Map<string, DnspodDomain>()
  readonly jobs = new DnspodJobs()
  readonly owner = newKey()
  readonly reader = newKey()
  readonly #perSecond: number
  readonly #rates = new Map<string, CallRate>()

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  createDomain(name: string, minTtl = 600): DnspodDomain {
    const domain = new DnspodDomain(name, minTtl)
    this.domains.set(name, domain)
    return domain
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    const action = actionOf(request)
    if (request.method !== 'POST' || request.path !== '/' || request.headers.authorization === undefined)
      throw failure('InvalidParameter', 'Url key and value is empty')
    this.#authorize(request)
    if (request.headers['x-tc-version'] !== VERSION)
      throw failure('NoSuchVersion', 'The API version does not exist.')
    const handler = this.#handlers[action]
    if (ACTIONS[action] === undefined || handler === undefined)
      throw failure('InvalidAction', `The request action=\`${action}\` is invalid or not found.`)
    const rate = this.#rates.get(action) ?? new CallRate(this.#perSecond, 1)
    this.#rates.set(action, rate)
    if (!rate.take().taken) throw tooMany()
    const body = parse(request, failure('InvalidParameter', 'The request body is not JSON.').answer)
    if (!isBody(body)) throw failure('InvalidParameter', 'The request body is not an object.')
    checkParameters(action, body)
    return json(200, { Response: { ...handler(body), RequestId: randomUUID() } })
  }

  #authorize(request: SimulatorRequest): void {
    const { headers, bytes } = request
    const [, id, date, signed = '', signature] = AUTHORIZATION.exec(String(headers.authorization)) ?? []
    if (id === undefined)
      throw failure('AuthFailure.InvalidAuthorization', 'The `Authorization` in the headers is invalid.')
    const key = [this.owner, this.reader].find(({ secretId }) => secretId === id)
    if (key === undefined)
      throw failure(
        'AuthFailure.SecretIdNotFound',
        'The SecretId is not found, please ensure that your SecretId is correct.',
      )
    const timestamp = Number(headers['x-tc-timestamp'])
    if (!Number.isInteger(timestamp)) throw failure('MissingParameter', 'X-TC-Timestamp is missing.')
    if (Math.abs(Date.now() / 1000 - timestamp) > MAX_SKEW)
      throw failure('AuthFailure.SignatureExpire', 'The signature has expired.')
    const names = signed.split(';')
    const isWhole = names.includes('content-type') && names.includes('host')
    const isInOrder = names.toSorted().join(';') === signed
    const isOfDay = new Date(timestamp * 1000).toISOString().startsWith(date ?? '-')
    const wanted = tc3Signature({ ...key, timestamp, headers, signed: names, body: bytes })
    if (!isWhole || !isInOrder || !isOfDay || signature !== wanted) throw signatureFailure()
    if (!String(headers['content-type']).startsWith('application/json'))
      throw failure('UnsupportedProtocol', 'Only application/json is taken.')
    if (key === this.reader && !actionOf(request).startsWith('Describe')) throw unauthorized()
  }

  #domain({ Domain, DomainId }: Body): DnspodDomain {
    const found = [...this.domains.values()].find(({ id, name, unicodeName }) =>
      DomainId === undefined ? name === Domain || unicodeName === Domain : id === DomainId,
    )
    if (found === undefined) throw noDomain()
    return found
  }

  readonly #handlers: Record<string, Handler> = {
    DescribeUserDetail: () => ({ UserInfo: USER }),
    DescribeDomainList: (body) => {
      const wanted = [...this.domains.values()].filter(
        ({ name, unicodeName }) =>
          body['Keyword'] === undefined ||
          [name, unicodeName].some((text) => text.includes(String(body['Keyword']))),
      )
      if (wanted.length === 0)
        throw failure('ResourceNotFound.NoDataOfDomain', 'There are no domains on the list.')
      const page = pageOf(wanted, body)
      const all = wanted.length
      return {
        DomainCountInfo: { DomainTotal: all, AllTotal: all, MineTotal: all, ShareTotal: 0, PauseTotal: 0 },
        DomainList: page.map(listed),
      }
    },
    DescribeDomain: (body) => ({ DomainInfo: shown(this.#domain(body)) }),
    CreateDomain: ({ Domain }) => {
      const name = String(Domain)
      if (!/^([a-z0-9_-]+\.)+[a-z0-9-]+$/.test(name))
        throw failure('InvalidParameter.DomainInvalid', 'The domain name is incorrect.')
      if (this.domains.has(name))
        throw failure('FailedOperation.DomainExists', 'The domain is already on the list.')
      const { id } = this.createDomain(name)
      return { DomainInfo: { Id: id, Domain: name, Punycode: name, GradeNsList: NAME_SERVERS } }
    },
    DeleteDomain: (body) => {
      this.domains.delete(this.#domain(body).name)
      return {}
    },
    DescribeRecordLineList: (body) => {
      this.#domain(body)
      return { LineList: LINES, LineGroupList: [] }
    },
    DescribeRecordList: (body) => {
      const { Subdomain, RecordType, RecordLine, RecordLineId, Keyword } = body
      return listOf(
        this.#domain(body).records.filter(
          (record) =>
            (Subdomain ?? record.Name) === record.Name &&
            (RecordType ?? record.Type) === record.Type &&
            (RecordLineId === undefined
              ? (RecordLine ?? record.Line) === record.Line
              : RecordLineId === record.LineId) &&
            (Keyword === undefined ||
              [record.Name, record.Value].some((text) => text.includes(textOf(Keyword)))),
        ),
        body,
      )
    },
    DescribeRecordFilterList: (body) => {
      const { SubDomain, IsExactSubDomain, RecordType, RecordValue } = body
      const types = RecordType as string[] | undefined
      return listOf(
        this.#domain(body).records.filter(
          ({ Name, Type, Value }) =>
            // By a part of the name, where not said otherwise.
            (SubDomain === undefined ||
              (IsExactSubDomain === true ? Name === SubDomain : Name.includes(textOf(SubDomain)))) &&
            (types === undefined || types.includes(Type)) &&
            (RecordValue === undefined || Value.includes(textOf(RecordValue))),
        ),
        { ...body, ErrorOnEmpty: 'yes' },
      )
    },
    DescribeRecord: (body) => {
      const domain = this.#domain(body)
      return { RecordInfo: { ...info(domain.get(body['RecordId'])), DomainId: domain.id } }
    },
    CreateRecord: (body) => ({ RecordId: this.#domain(body).create(body) }),
    ModifyRecord: (body) => ({ RecordId: this.#domain(body).modify(body['RecordId'], body) }),
    CreateTXTRecord: (body) => ({ RecordId: this.#domain(body).create({ ...body, RecordType: 'TXT' }) }),
    ModifyTXTRecord: (body) => ({
      RecordId: this.#domain(body).modify(body['RecordId'], { ...body, RecordType: 'TXT' }),
    }),
    ModifyRecordStatus: (body) => {
      const Status = String(body['Status'])
      if (Status !== 'ENABLE' && Status !== 'DISABLE')
        throw failure('InvalidParameterValue', 'The value of parameter `Status` is not valid.')
      return { RecordId: this.#domain(body).change(body['RecordId'], { Status }) }
    },
    ModifyRecordRemark: (body) => {
      this.#domain(body).change(body['RecordId'], { Remark: textOf(body['Remark']) })
      return {}
    },
    DeleteRecord: (body) => {
      this.#domain(body).delete(body['RecordId'])
      return {}
    },
    CreateRecordBatch: (body) => {
      const domains = (body['DomainIdList'] as string[]).map((id) => this.#domain({ DomainId: Number(id) }))
      const tasks = (body['RecordList'] as Body[]).flatMap((given) => {
        // These three are named in the documentation, and not supported.
        const { Enabled: _, Weight: __, Remark: ___, ...record } = given
        return domains.map((domain): Task => ({
          domain,
          operation: 'plus',
          record,
          run: () => domain.create({ RecordLine: '默认', ...record }),
        }))
      })
      return this.#start('record_add', tasks)
    },
    DeleteRecordBatch: (body) => {
      const tasks = (body['RecordIdList'] as number[]).map((id): Task => {
        const domain = this.#ownerOf(id)
        const run = () => {
          domain.delete(id)
          return id
        }
        return { domain, operation: 'remove', record: info(domain.get(id)), run }
      })
      const { JobId, DetailList } = this.#start('record_delete', tasks)
      // Here, and here alone, the records are in a text.
      return {
        JobId,
        DetailList: DetailList.map(({ DomainId, Domain, Status, RecordList }) => ({
          DomainId,
          Domain,
          Error: null,
          Status,
          Operation: 'remove',
          RecordList: JSON.stringify(RecordList),
        })),
      }
    },
    DescribeBatchTask: ({ JobId }) => this.jobs.describe(JobId),
  }

  #ownerOf(id: number): DnspodDomain {
    const found = [...this.domains.values()].find((domain) => domain.has(id))
    if (found === undefined)
      throw failure('InvalidParameter.RecordIdInvalid', 'The record number is invalid.')
    return found
  }

  #start(type: string, tasks: Task[]) {
    if (tasks.length === 0 || tasks.length > MAX_BATCH)
      throw failure('InvalidParameter.BatchRecordCountLimit', `A task has 1 to ${MAX_BATCH} records.`)
    const job = this.jobs.start(type, tasks)
    return {
      JobId: job.id,
      DetailList: detailsOf(job, () => ({ Status: 'waiting', ErrMsg: null }), 'waiting'),
    }
  }
}
