import { randomUUID } from 'node:crypto'
import { CallRate, json, orRefused } from './answers.ts'
import { AlidnsBatches } from './alidns-batches.ts'
import { AlidnsDomain, LINES, failure, invalid, type AlidnsRecord, type Params } from './alidns-domain.ts'
import { AlidnsKeys, actionOf } from './alidns-keys.ts'
import { startServer, type SimulatorAnswer, type SimulatorRequest, type SimulatorServer } from './server.ts'

export interface AlidnsSimulator extends SimulatorServer {
  /** The address of the API. */
  apiUrl: string
  accessKeyId: string
  accessKeySecret: string
  /** Of a key that may not change anything. */
  reader: { accessKeyId: string; accessKeySecret: string }
  batches: AlidnsBatches
  /** `minTtl`: 600, as of the free plan. */
  createDomain(name: string, minTtl?: number): AlidnsDomain
  deleteDomain(name: string): void
  domainNames(): string[]
}

/** Alibaba Cloud DNS over a socket. `perSecond`: calls that are taken in a second. */
export async function startAlidnsSimulator({ perSecond = Infinity } = {}): Promise<AlidnsSimulator> {
  const api = new Api(perSecond)
  const server = await startServer(
    (request) => orRefused(() => api.answer(request)),
    (request) => !actionOf(request).startsWith('Describe'),
  )
  return {
    ...server,
    apiUrl: server.url,
    ...api.keys.owner,
    reader: api.keys.reader,
    batches: api.batches,
    createDomain: (name, minTtl) => api.createDomain(name, minTtl),
    deleteDomain: (name) => void api.domains.delete(name),
    domainNames: () => [...api.domains.keys()],
  }
}

export const throttled = () => failure(400, 'Throttling.User', 'Request was denied due to user flow control.')

class Api {
  /** By their ASCII names. */
  readonly domains = new Map<string, AlidnsDomain>()
  readonly keys = new AlidnsKeys()
  readonly batches = new AlidnsBatches()
  readonly #rate: CallRate

  constructor(perSecond: number) {
    this.#rate = new CallRate(perSecond, 1)
  }

  createDomain(name: string, minTtl = 600): AlidnsDomain {
    const domain = new AlidnsDomain(name, minTtl)
    this.domains.set(name, domain)
    return domain
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    if (request.path !== '/') throw failure(404, 'InvalidAction.NotFound', NOT_FOUND)
    const { action, params } = this.keys.verify(request)
    const handler = this.#handlers[action]
    if (handler === undefined) throw failure(404, 'InvalidAction.NotFound', NOT_FOUND)
    if (!this.#rate.take().taken) throw throttled()
    return json(200, { ...handler(params), RequestId: randomUUID().toUpperCase() })
  }

  #domain(named: string | undefined): AlidnsDomain {
    if (named === undefined)
      throw failure(400, 'MissingDomainName', 'DomainName is mandatory for this action.')
    const found = [...this.domains.values()].find(({ name, unicodeName }) =>
      [name, unicodeName].includes(named),
    )
    if (found === undefined)
      throw failure(
        400,
        'InvalidDomainName.NoExist',
        'The specified domain name does not exist. Refresh the page and try again.',
      )
    return found
  }

  /** The record by its id alone, with its domain. */
  #record({ RecordId }: Params): [AlidnsDomain, AlidnsRecord] {
    for (const domain of this.domains.values()) {
      const record = domain.find(RecordId)
      if (record !== undefined) return [domain, record]
    }
    throw failure(400, 'DomainRecordNotBelongToUser', 'The DNS record does not belong to this user.')
  }

  readonly #handlers: Record<string, (params: Params) => object> = {
    DescribeDomains: (params) => {
      const { KeyWord, SearchMode } = params
      const wanted = [...this.domains.values()].filter(
        ({ name }) =>
          KeyWord === undefined || (SearchMode === 'EXACT' ? name === KeyWord : name.includes(KeyWord)),
      )
      const { items, ...page } = pageOf(wanted, params, 100)
      return { ...page, Domains: { Domain: items.map(shown) } }
    },
    DescribeDomainInfo: ({ DomainName }) => {
      const domain = this.#domain(DomainName)
      const isPlain = domain.minTtl === 600
      return {
        ...shown(domain),
        RecordLines: { RecordLine: [] },
        ...(!isPlain && { MinTtl: domain.minTtl }),
        AvailableTtls: { AvailableTtl: isPlain ? [] : [1, 10, 60, 600, 86_400].map(String) },
      }
    },
    AddDomain: ({ DomainName = '' }) => {
      if (!/^([a-z0-9_-]+\.)+[a-z0-9-]+$/.test(DomainName))
        throw failure(400, 'InvalidDomainName.Format', 'The format of the specified domain name is invalid.')
      if (this.domains.has(DomainName))
        throw failure(400, 'InvalidDomainName.Duplicate', 'The specified domain name already exists.')
      return shown(this.createDomain(DomainName))
    },
    DeleteDomain: ({ DomainName }) => {
      const { name } = this.#domain(DomainName)
      this.domains.delete(name)
      return { DomainName: name }
    },
    DescribeSupportLines: () => ({
      RecordLines: { RecordLine: LINES.map((LineCode) => ({ LineCode, LineName: LineCode })) },
    }),
    DescribeDomainRecords: (params) => {
      const { DomainName, SearchMode, KeyWord, RRKeyWord, TypeKeyWord, ValueKeyWord, Type, Line, Status } =
        params
      // By a part, where it is not said otherwise.
      const isExact = SearchMode === 'EXACT' || SearchMode === 'COMBINATION'
      const fits = (text: string, wanted: string | undefined) =>
        wanted === undefined || (isExact ? text === wanted : text.includes(wanted.toLowerCase()))
      const wanted = this.#domain(DomainName).records.filter(
        (record) =>
          (fits(record.RR, KeyWord) || fits(record.Value, KeyWord)) &&
          fits(record.RR, RRKeyWord) &&
          (TypeKeyWord ?? Type ?? record.Type).toUpperCase() === record.Type &&
          fits(record.Value, ValueKeyWord) &&
          (Line ?? record.Line) === record.Line &&
          (Status ?? record.Status).toUpperCase() === record.Status,
      )
      return listOf(wanted, params)
    },
    DescribeSubDomainRecords: (params) => {
      const { SubDomain = '', DomainName, Type, Line } = params
      const domain = DomainName === undefined ? this.#ownerOf(SubDomain) : this.#domain(DomainName)
      const wanted = domain.records.filter(
        (record) =>
          [
            record.RR === '@' ? domain.name : `${record.RR}.${domain.name}`,
            `${record.RR}.${domain.name}`,
          ].includes(SubDomain) &&
          (Type ?? record.Type) === record.Type &&
          (Line ?? record.Line) === record.Line,
      )
      return listOf(wanted, params)
    },
    DescribeDomainRecordInfo: (params) => this.#record(params)[1],
    AddDomainRecord: (params) => idOf(this.#domain(params['DomainName']).add(params)),
    UpdateDomainRecord: (params) => {
      const [domain, record] = this.#record(params)
      return idOf(domain.update(record, params))
    },
    DeleteDomainRecord: (params) => {
      const [domain, record] = this.#record(params)
      domain.delete(record)
      return idOf(record)
    },
    DeleteSubDomainRecords: ({ DomainName, RR, Type }) => {
      const domain = this.#domain(DomainName)
      const gone = domain.records.filter(
        (record) => record.RR === RR && (Type ?? record.Type) === record.Type,
      )
      for (const record of gone) domain.delete(record)
      return { RR, TotalCount: String(gone.length) }
    },
    SetDomainRecordStatus: (params) => {
      const [domain, record] = this.#record(params)
      const { RecordId, Status } = domain.setStatus(record, params['Status'])
      return { RecordId, Status: Status === 'ENABLE' ? 'Enable' : 'Disable' }
    },
    UpdateDomainRecordRemark: (params) => {
      const [domain, record] = this.#record(params)
      domain.setRemark(record, params['Remark'] ?? '')
      return {}
    },
    UpdateDNSSLBWeight: (params) => {
      const [domain, record] = this.#record(params)
      const { RecordId, Weight } = domain.setWeight(record, Number(params['Weight']))
      return { RecordId, Weight }
    },
    OperateBatchDomain: (params) => this.batches.operate(params, (name) => this.#domain(name)),
    DescribeBatchResultCount: (params) => this.batches.count(params),
    DescribeBatchResultDetail: (params) => {
      const { items, ...page } = pageOf(this.batches.results(params), params, 100)
      return { ...page, BatchResultDetails: { BatchResultDetail: items } }
    },
  }

  /** The longest domain that the name is in. */
  #ownerOf(name: string): AlidnsDomain {
    const owners = [...this.domains.keys()].filter((owner) => name === owner || name.endsWith(`.${owner}`))
    return this.#domain(owners.sort((a, b) => b.length - a.length)[0] ?? name)
  }
}

const NOT_FOUND = 'Specified api is not found, please check your url and method.'

const idOf = ({ RecordId }: AlidnsRecord) => ({ RecordId })

const shown = ({ id, name, unicodeName, minTtl, records }: AlidnsDomain) => ({
  DomainId: id,
  DomainName: unicodeName,
  PunyCode: name,
  AliDomain: true,
  VersionCode: minTtl === 600 ? 'mianfei' : 'version_enterprise_advanced',
  VersionName: 'Alibaba Cloud DNS',
  RecordCount: records.length,
  DnsServers: { DnsServer: ['dns9.hichina.com', 'dns10.hichina.com'] },
})

function pageOf<T>(all: T[], { PageNumber = '1', PageSize = '20' }: Params, most: number) {
  const [page, size] = [Number(PageNumber), Number(PageSize)]
  if (!Number.isInteger(page) || page < 1) throw invalid('The specified PageNumber is invalid.')
  if (!Number.isInteger(size) || size < 1 || size > most)
    throw invalid(`The specified PageSize is invalid: it is from 1 to ${most}.`)
  const items = all.slice((page - 1) * size, page * size)
  return { PageNumber: page, PageSize: size, TotalCount: all.length, items }
}

function listOf(wanted: AlidnsRecord[], params: Params) {
  const { items, ...page } = pageOf(wanted, params, 500)
  return { ...page, DomainRecords: { Record: items } }
}
