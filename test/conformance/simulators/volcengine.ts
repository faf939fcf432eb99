import { CallRate, isBody, orRefused, parse, textOf, type Body } from './answers.ts'
import { startServer, type SimulatorAnswer, type SimulatorRequest, type SimulatorServer } from './server.ts'
import {
  VERSION,
  done,
  duplicated,
  failure,
  forbidden,
  invalid,
  noZone,
  notFound,
  throttled,
  unknownAction,
  unparsed,
} from './volcengine-answers.ts'
import { newKey, signerOf, type VolcengineKey } from './volcengine-keys.ts'
import { VolcengineZone } from './volcengine-zone.ts'

export interface VolcengineSimulator extends SimulatorServer, VolcengineKey {
  /** The address of the API. */
  apiUrl: string
  /** A key that may not change anything. */
  reader: VolcengineKey
  /** Names right below which there are domains. */
  suffixes: Set<string>
  /** `minTtl`: 600, as of the free edition. */
  createZone(name: string, minTtl?: number): VolcengineZone
  deleteZone(name: string): void
  zoneNames(): string[]
}

const MAX_PAGE = 500
const NUMBERS = new Set(['ZID', 'PageNumber', 'PageSize'])
const NAME_SERVERS = ['ns1.volcengine-dns.com', 'ns2.volcengine-dns.com']
/** These are GET with a query, the others POST with a body. */
const READS = new Set(['ListZones', 'QueryZone', 'ListRecords', 'QueryRecord'])

/** Volcengine's DNS over a socket. `perSecond`: calls of one action that are taken in a second, of the real one 10 to 100. */
export async function startVolcengineSimulator({ perSecond = Infinity } = {}): Promise<VolcengineSimulator> {
  const api = new Api(perSecond)
  const server = await startServer((request) => orRefused(() => api.answer(request)))
  return {
    ...server,
    apiUrl: server.url,
    ...api.owner,
    reader: api.reader,
    suffixes: api.suffixes,
    createZone: (name, minTtl) => api.createZone(name, minTtl),
    deleteZone: (name) => void api.zones.delete(name),
    zoneNames: () => [...api.zones.keys()],
  }
}

class Api {
  readonly zones = new Map<string, VolcengineZone>()
  readonly suffixes = new Set(['test'])
  readonly owner = newKey()
  readonly reader = newKey()
  readonly #perSecond: number
  readonly #rates = new Map<string, CallRate>()

  constructor(perSecond: number) {
    this.#perSecond = perSecond
  }

  createZone(name: string, minTtl = 600, remark = ''): VolcengineZone {
    const zone = new VolcengineZone(name, minTtl, remark)
    this.zones.set(name, zone)
    return zone
  }

  answer(request: SimulatorRequest): SimulatorAnswer {
    if (request.path !== '/') return { status: 404 }
    const signer = signerOf(request, [this.owner, this.reader])
    const action = request.query.get('Action') ?? ''
    const run = this.#actions[action]
    const isRead = READS.has(action)
    const isGood = request.method === (isRead ? 'GET' : 'POST') && request.query.get('Version') === VERSION
    if (run === undefined || !isGood) throw unknownAction(action)
    if (signer === this.reader && !isRead) throw forbidden()
    const rate = this.#rates.get(action) ?? new CallRate(this.#perSecond, 1)
    this.#rates.set(action, rate)
    if (!rate.take().taken) throw throttled()
    return done(action, run(isRead ? queryOf(request) : bodyOf(request)))
  }

  #zone({ ZID }: Body): VolcengineZone {
    if (!Number.isInteger(ZID)) throw unparsed('ZID')
    const found = [...this.zones.values()].find(({ id }) => id === ZID)
    if (found === undefined) throw noZone()
    return found
  }

  #zoneOf({ RecordID }: Body): VolcengineZone {
    const found = [...this.zones.values()].find((zone) => zone.has(RecordID))
    if (found === undefined) throw notFound(textOf(RecordID))
    return found
  }

  readonly #actions: Record<string, (params: Body) => object | null> = {
    ListZones: (params) => {
      const wanted = [...this.zones.values()].filter(({ name }) => matches(name, params['Key'], params))
      return { Zones: pageOf(wanted, params).map(shown), Total: wanted.length }
    },
    QueryZone: (params) => {
      const { ZID: _, ...zone } = shown(this.#zone(params))
      return { ...zone, AllocateDNSServerList: NAME_SERVERS, RealDNSServerList: NAME_SERVERS }
    },
    CreateZone: ({ ZoneName, Remark }) => {
      const name = textOf(ZoneName)
      const [label = '', suffix = ''] = name.split(/\.(.*)/)
      if (!/^[a-z0-9-]+$/.test(label) || !this.suffixes.has(suffix)) throw invalid('ZoneName')
      if (this.zones.has(name)) throw duplicated(name)
      return shown(this.createZone(name, 600, textOf(Remark)))
    },
    DeleteZone: (params) => {
      this.zones.delete(this.#zone(params).name)
      return null
    },
    ListRecords: (params) => {
      const { Host, Type, Line, Value } = params
      const wanted = this.#zone(params).records.filter(
        (record) =>
          matches(record.Host, Host, params) &&
          matches(record.Value, Value, params) &&
          (Type === undefined || Type === record.Type) &&
          (Line === undefined || Line === record.Line),
      )
      const { PageNumber = 1, PageSize = 10 } = params
      return { Records: pageOf(wanted, params), TotalCount: wanted.length, PageNumber, PageSize }
    },
    QueryRecord: (params) => {
      const { records } = this.#zoneOf(params)
      return records.find(({ RecordID }) => RecordID === params['RecordID']) ?? null
    },
    CreateRecord: (params) => this.#zone(params).create(params),
    UpdateRecord: (params) => this.#zoneOf(params).update(params['RecordID'], params),
    UpdateRecordStatus: (params) => this.#zoneOf(params).enable(params['RecordID'], params['Enable']),
    DeleteRecord: (params) => {
      this.#zoneOf(params).delete(params['RecordID'])
      return null
    },
    UpdateRecordSet: ({ ID, WeightEnabled }) => {
      const found = [...this.zones.values()].find((zone) => zone.hasSet(ID))
      if (found === undefined) throw notFound(textOf(ID))
      found.weigh(textOf(ID), WeightEnabled)
      return null
    },
  }
}

const shown = ({ id, name, remark, records, createdAt }: VolcengineZone) => ({
  ZID: id,
  ZoneName: name,
  RecordCount: records.length,
  Remark: remark,
  TradeCode: 'free_inner',
  IsNSCorrect: true,
  CreatedAt: createdAt,
  UpdatedAt: createdAt,
})

/** Where not said otherwise, by a part of it. */
function matches(text: string, wanted: unknown, { SearchMode = 'like' }: Body): boolean {
  if (SearchMode !== 'like' && SearchMode !== 'exact') throw invalid('SearchMode')
  if (wanted === undefined) return true
  return SearchMode === 'exact' ? text === wanted : text.includes(textOf(wanted))
}

function pageOf<T>(all: T[], { PageNumber = 1, PageSize = 10 }: Body): T[] {
  const [page, size] = [Number(PageNumber), Number(PageSize)]
  if (!Number.isInteger(page) || page < 1) throw unparsed('PageNumber')
  if (!Number.isInteger(size) || size < 1 || size > MAX_PAGE)
    throw failure(400, 400_132, 'ErrPageSizeNotValid', 'page size not valid')
  return all.slice((page - 1) * size, page * size)
}

/** Numbers among them are read as such. */
const queryOf = ({ query }: SimulatorRequest): Body =>
  Object.fromEntries(
    [...query].map(([name, value]) => [
      name,
      NUMBERS.has(name) && /^\d+$/.test(value) ? Number(value) : value,
    ]),
  )

function bodyOf(request: SimulatorRequest): Body {
  if (!String(request.headers['content-type']).startsWith('application/json')) throw unparsed('Content-Type')
  const body = parse(request, unparsed('body').answer)
  if (!isBody(body)) throw unparsed('body')
  return body
}
