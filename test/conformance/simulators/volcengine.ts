import { randomUUID } from 'node:crypto'
import type { Routing } from '../../../dns/names/rrset.ts'
import { bytesOfText } from '../../../dns/text/text.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json, textOf, type Body } from './answers.ts'
import { isData, isInteger, isLabels } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import { ENDS_IN_NAME, dotted, rdataOfText } from './rdata.ts'
import { RecordZone } from './record-zone.ts'
import type { SimulatorAnswer } from './server.ts'
import { signedBy, type SignatureScheme, type SigningKeys } from './signatures.ts'

interface VolcengineRecord {
  RecordID: string
  /** Relative to the zone, `@` for the apex. */
  Host: string
  Type: string
  /** As it was given: of MX, SRV and CAA all of it; text without quotes. */
  Value: string
  /** Seconds. */
  TTL: number
  Line: string
  /** In effect where its set has it enabled. */
  Weight: number
  Enable: boolean
  Remark: string
  /** Of those of one host, type and line. */
  RecordSetID: string
  CreatedAt: string
  UpdatedAt: string
}

const VERSION = '2018-08-01'

const metadata = (Action: string) => ({
  RequestId: randomUUID(),
  Action,
  Version: VERSION,
  Service: 'DNS',
  Region: 'cn-beijing',
})

const failure = (status: number, CodeN: number, Code: string, Message: string) =>
  new Refused(json(status, { ResponseMetadata: { ...metadata(''), Error: { CodeN, Code, Message } } }))

const invalid = (reason: string) => failure(400, 400_102, 'ErrParamInvalid', `validation fail: ${reason}`)
const unparsed = (name: string) => failure(400, 400_100, 'ErrParsingParams', `error parsing params: ${name}`)
const notFound = (what: string) => failure(400, 400_104, 'ErrDBNotFound', `record not found :${what}`)
const duplicated = (what: string) => failure(409, 400_103, 'ErrDBDuplicated', `duplicated: ${what}`)
const noZone = failure(400, 400_105, 'ErrZoneNotFound', 'zone not found')
const noHost = failure(400, 400_130, 'ErrHostCanNotBeEmpty', "host can't be empty, use @ instead")

/** There are others. */
const LINES = new Set(['default', 'telecom', 'unicom', 'mobile'])
const TYPES = new Set('A AAAA CAA CNAME MX NS SRV TXT'.split(' '))
const DEFAULT_TTL = 600
const MAX_TTL = 86_400

let ids = 40_000
const now = () => new Date().toISOString().replace(/\.\d+Z$/, '+00:00')

const RULES = {
  id: 'RecordID',
  name: 'Host',
  type: 'Type',
  line: 'Line',
  times: ['CreatedAt', 'UpdatedAt'],
  missing: notFound,
  clash: ({ Host, Type }: VolcengineRecord) =>
    failure(400, 400_135, 'ErrSpecNotValid', `record ${Host} ${Type} not valid when creating record`),
  twins: {
    identity: ({ Type, Value }: VolcengineRecord) => `${Type} ${Value.toLowerCase().replace(/\.$/, '')}`,
    refuse: ({ Host, Type, Value }: VolcengineRecord) => duplicated(`${Host} ${Type} ${Value}`),
  },
} as const

class VolcengineZone extends RecordZone<VolcengineRecord> {
  readonly id = ++ids
  readonly remark: string
  /** Seconds; the free edition has 600. */
  readonly minTtl: number
  readonly createdAt = now()

  constructor(name: string, { minTtl = 600, remark }: Body) {
    super(name, RULES)
    this.minTtl = Number(minTtl)
    this.remark = textOf(remark)
  }

  create(body: Body): VolcengineRecord {
    return this.put({ ...this.#judge({ Line: 'default', ...body }), RecordID: String(++ids) })
  }

  /** What the body does not say stays, except the TTL. */
  update(id: string, body: Body): VolcengineRecord {
    const old = this.get(id)
    for (const needed of ['Host', 'Line']) if (textOf(body[needed]) === '') throw invalid(needed)
    const { RecordID, Enable, CreatedAt } = old
    return this.put({ ...this.#judge({ ...old, TTL: undefined, ...body }), RecordID, Enable, CreatedAt })
  }

  enable(id: string, isEnabled: unknown): VolcengineRecord {
    if (typeof isEnabled !== 'boolean') throw invalid('Enable')
    return this.put({ ...this.get(id), Enable: isEnabled })
  }

  #judge(body: Body): Omit<VolcengineRecord, 'RecordID'> {
    const { Type, Line, TTL = DEFAULT_TTL, Weight = 1, Remark = '' } = body
    const Host = textOf(body['Host']).toLowerCase()
    if (Host === '') throw noHost
    if (Host !== '@' && !isLabels(Host)) throw invalid('Host')
    // Those of the apex are the zone's own.
    if (typeof Type !== 'string' || !TYPES.has(Type) || (Type === 'NS' && Host === '@')) throw invalid('Type')
    if (typeof Line !== 'string' || !LINES.has(Line)) throw invalid('Line')
    if (!isInteger(TTL, this.minTtl, MAX_TTL)) throw invalid('TTL')
    if (!isInteger(Weight, 0, 100)) throw invalid('Weight')
    if (typeof Remark !== 'string' || Remark.length > 255) throw invalid('Remark')
    const Value = textOf(body['Value'])
    if (!isValue(Type, Value)) throw invalid('Value')
    const RecordSetID = `${this.id}${Host}${Type}${Line}`
    const times = { CreatedAt: now(), UpdatedAt: now() }
    return { Host, Type, Value, TTL, Line, Weight, Enable: true, Remark, RecordSetID, ...times }
  }
}

/** What is not documented is refused: a lone dot as a name; quotes, backslashes and other scripts in a text. */
function isValue(Type: string, Value: string): boolean {
  const isLoneDot = ENDS_IN_NAME.has(Type) && /(^| )\.$/.test(Value)
  const isOdd = Type === 'TXT' && !/^[ !#-[\]-~]+$/.test(Value)
  return Value !== '' && !isLoneDot && !isOdd && isData(Type, rdataOf({ Type, Value }))
}

const rdataOf = ({ Type, Value }: Pick<VolcengineRecord, 'Type' | 'Value'>): string =>
  Type === 'TXT' ? rdataOfText(Value) : dotted(Type, Value)

const MAX_PAGE = 500
const NAME_SERVERS = ['ns1.volcengine-dns.com', 'ns2.volcengine-dns.com']

/** The signature of AWS without their words. */
export const VOLCENGINE: SignatureScheme = {
  algorithm: 'HMAC-SHA256',
  time: { header: 'x-date', format: 'compact', maxSkewSeconds: 15 * 60 },
  scope: (day) => `${day.replaceAll('-', '')}/cn-beijing/dns/request`,
  needed: ['host', 'x-date'],
  refuse: {
    form: failure(401, 100_010, 'SignatureDoesNotMatch', 'The Authorization header is not valid.'),
    key: failure(401, 100_009, 'InvalidAccessKey', 'The access key is not found or is not active.'),
    time: failure(
      400,
      100_006,
      'InvalidTimestamp',
      'The signature has expired or the timestamp is not valid.',
    ),
    signature: failure(
      401,
      100_010,
      'SignatureDoesNotMatch',
      'The request signature we calculated does not match the signature you provided. Check your Secret Access Key and signing method.',
    ),
    change: failure(403, 100_013, 'AccessDenied', 'User is not authorized to perform: DNS:CreateRecord'),
  },
}

const throttled = failure(
  429,
  100_018,
  'FlowLimitExceeded',
  'Request was rejected because the request speed is over the limit.',
)

type VolcengineCall = Call<VolcengineZone, SigningKeys>
type Action = (call: VolcengineCall, params: Body) => object | null

function zoneOf({ zones }: VolcengineCall, { ZID }: Body): VolcengineZone {
  if (!Number.isInteger(ZID)) throw unparsed('ZID')
  const found = zones.find(({ id }) => id === ZID)
  if (found === undefined) throw noZone
  return found
}

/** Records are named by their id alone. */
function recordOf({ zones }: VolcengineCall, { RecordID }: Body): [zone: VolcengineZone, id: string] {
  const id = textOf(RecordID)
  const found = zones.find((zone) => zone.has(id))
  if (found === undefined) throw notFound(id)
  return [found, id]
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

/** In part, unless the request says otherwise. */
function matches(text: string, wanted: unknown, { SearchMode = 'like' }: Body): boolean {
  if (SearchMode !== 'like' && SearchMode !== 'exact') throw invalid('SearchMode')
  if (wanted === undefined) return true
  return SearchMode === 'exact' ? text === wanted : text.includes(textOf(wanted))
}

function pageOf<T>(all: T[], { PageNumber = 1, PageSize = 10 }: Body): T[] {
  if (!isInteger(PageNumber, 1, Infinity)) throw unparsed('PageNumber')
  if (!isInteger(PageSize, 1, MAX_PAGE))
    throw failure(400, 400_132, 'ErrPageSizeNotValid', 'page size not valid')
  return all.slice((PageNumber - 1) * PageSize, PageNumber * PageSize)
}

const READS: Record<string, Action> = {
  ListZones: ({ zones }, params) => {
    const wanted = zones.filter(({ name }) => matches(name, params['Key'], params))
    return { Zones: pageOf(wanted, params).map(shown), Total: wanted.length }
  },
  QueryZone: (call, params) => {
    const { ZID: _, ...zone } = shown(zoneOf(call, params))
    return { ...zone, AllocateDNSServerList: NAME_SERVERS, RealDNSServerList: NAME_SERVERS }
  },
  ListRecords: (call, params) => {
    const { Host, Type, Line, Value, PageNumber = 1, PageSize = 10 } = params
    const wanted = zoneOf(call, params).records.filter(
      (record) =>
        matches(record.Host, Host, params) &&
        matches(record.Value, Value, params) &&
        (Type ?? record.Type) === record.Type &&
        (Line ?? record.Line) === record.Line,
    )
    return { Records: pageOf(wanted, params), TotalCount: wanted.length, PageNumber, PageSize }
  },
}

const WRITES: Record<string, Action> = {
  /** Right below a registry, for which the account's own zones stand in, too. */
  CreateZone: ({ sim }, { ZoneName, Remark }) => {
    const name = textOf(ZoneName)
    const [label = '', suffix = ''] = name.split(/\.(.*)/)
    if (!/^[a-z0-9-]+$/.test(label) || (suffix !== 'test' && !sim.zones.has(suffix)))
      throw invalid('ZoneName')
    if (sim.zones.has(name)) throw duplicated(name)
    return shown(sim.createZone(name, { remark: Remark }))
  },
  DeleteZone: (call, params) => {
    call.sim.deleteZone(zoneOf(call, params).name)
    return null
  },
  CreateRecord: (call, params) => zoneOf(call, params).create(params),
  UpdateRecord: (call, params) => {
    const [zone, id] = recordOf(call, params)
    return zone.update(id, params)
  },
  UpdateRecordStatus: (call, params) => {
    const [zone, id] = recordOf(call, params)
    return zone.enable(id, params['Enable'])
  },
  DeleteRecord: (call, params) => {
    const [zone, id] = recordOf(call, params)
    zone.delete(id)
    return null
  },
}

/** The parameters are read after the action is known to be there. */
function act(call: VolcengineCall, actions: Record<string, Action>, readParams: () => Body): SimulatorAnswer {
  const action = call.query.get('Action') ?? ''
  const run = actions[action]
  if (run === undefined || call.query.get('Version') !== VERSION)
    throw failure(404, 100_008, 'InvalidActionOrVersion', `Could not find operation ${action} for version.`)
  const Result = run(call, readParams())
  return json(200, { ResponseMetadata: metadata(action), ...(Result !== null && { Result }) })
}

const NUMBERS = new Set(['ZID', 'PageNumber', 'PageSize'])

/** Numbers among them are read as such. */
const queryOf = ({ query }: VolcengineCall): Body =>
  Object.fromEntries(
    [...query].map(([name, value]) => [
      name,
      NUMBERS.has(name) && /^\d+$/.test(value) ? Number(value) : value,
    ]),
  )

function bodyOf({ request, body }: VolcengineCall): Body {
  if (!textOf(request.headers['content-type']).startsWith('application/json')) throw unparsed('Content-Type')
  if (!isBody(body)) throw unparsed('body')
  return body
}

const routingOf = (line: string): Routing | null => (line === 'default' ? null : { key: line, line })

/** Volcengine's DNS. `perSecond`: calls of one action; of the real one 10 to 100. */
export default defineDialect({
  ...signedBy(VOLCENGINE, 'AKLT'),
  newZone: (name, given) => new VolcengineZone(name, given),
  limits: [
    {
      option: 'perSecond',
      seconds: 1,
      scope: ({ query }) => query.get('Action') ?? '',
      refuse: () => throttled,
    },
  ],
  // Reads have a query, the others a body.
  routes: {
    'GET /': (call) => act(call, READS, () => queryOf(call)),
    'POST /': (call) => act(call, WRITES, () => bodyOf(call)),
  },
  errors: { noRoute: { status: 404 }, badJson: unparsed('body') },
  suite: {
    credentials: ({ keyId, secret }) => ({ accessKeyId: keyId, secretAccessKey: secret }),
    secret: 'secretAccessKey',
    wrong: '7f3a'.repeat(11),
    missingZone: { id: '99999999', name: 'missing.test' },
    given: { minTtl: 1 },
    seed: (zone, records) => {
      for (const { name, type, value, ttl, routing, member } of records) {
        const { RecordID } = zone.create({
          Host: name,
          Type: type,
          Value: type === 'TXT' ? bytesOfText(value).toString() : typeOf(type).write(value),
          TTL: ttl,
          Line: routing?.line ?? 'default',
          Remark: member.comment ?? '',
        })
        if (member.disabled === true) zone.enable(RecordID, false)
      }
    },
    held: (zone) =>
      zone.records.map((record) => ({
        name: record.Host,
        type: record.Type,
        rdata: rdataOf(record),
        routing: routingOf(record.Line),
        ttl: record.TTL,
        disabled: !record.Enable,
        comment: record.Remark,
      })),
    foreign: (zone) => {
      const made = { Host: 'foreign', Type: 'A', TTL: 3600 }
      const first = zone.create({ ...made, Value: '192.0.2.1', Remark: 'do not touch' })
      // A type that did not exist when the adapter was written.
      const url = { Type: 'URL', Value: 'https://www.example.net/' }
      zone.hold({ ...first, ...url, RecordID: String(++ids), Host: 'jump' })
      for (const Value of ['192.0.2.200', '192.0.2.201'])
        zone.enable(zone.create({ ...made, Value }).RecordID, false)
      return () => zone.lasting
    },
    extra: (zone) => {
      for (const [i, Value] of ['192.0.2.1', '192.0.2.2'].entries())
        zone.create({ Host: 'extra', Type: 'A', TTL: 3600, Value, Weight: 10 * (i + 1) })
      return () => zone.lasting
    },
    faults: {
      unauthorized: VOLCENGINE.refuse.signature,
      forbidden: VOLCENGINE.refuse.change,
      rateLimited: throttled,
      failure: failure(500, 500_100, 'ErrInternalServer', 'internal server error'),
      refused: invalid,
    },
    more: () => ({
      routings: [
        { key: 'telecom', line: 'telecom' },
        { key: 'unicom', line: 'unicom' },
      ],
    }),
  },
})
