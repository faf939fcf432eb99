import { Refused, isBody, json, textOf, type Body } from './answers.ts'
import { hexKey, isData, isLabels, isPort } from './checks.ts'
import { joinContent, splitContent } from './rdata.ts'
import { RecordZone } from './record-zone.ts'
import { defineDialect, type Call } from './dialect.ts'

interface NjallaRecord {
  id: string
  /** Relative to the domain, `@` for the apex. */
  name: string
  type: string
  /** Names without the final dot; text without quotes; of SRV `weight port target`. */
  content: string
  /** Seconds. */
  ttl: number
  /** Of MX and SRV. */
  prio?: number
}

const TYPES = new Set('A AAAA CAA CNAME MX NS SRV TXT'.split(' '))
const TTLS = new Set([60, 300, 900, 3600, 10_800, 21_600, 86_400])
const MX_PRIORITIES = new Set<unknown>([0, 1, 5, 10, 20, 30, 40, 50, 60])
const SHOWN = { status: 'active', expiry: '2030-02-20T19:38:48Z' }
const MORE = { locked: true, mailforwarding: false, max_nameservers: 10 }

/** Whatever went wrong, it is 200. */
const failure = (code: number, message: string) =>
  new Refused(json(200, { jsonrpc: '2.0', error: { code, message } }))
const invalid = (message: string) => failure(400, message)
const invalidToken = failure(403, 'Invalid token.')
const forbidden = failure(403, 'Permission denied.')

let ids = 1_337

const RULES = {
  id: 'id',
  name: 'name',
  type: 'type',
  missing: () => failure(404, 'Record not found'),
  clash: () => invalid('CNAME can not be used together with other records'),
} as const

class NjallaDomain extends RecordZone<NjallaRecord> {
  constructor(name: string) {
    super(name, RULES)
  }

  /** Also one that is there already. */
  add(params: Body): NjallaRecord {
    return this.put(judge(String(++ids), params))
  }

  /** What is not said stays, and so does the type. */
  edit(params: Body): NjallaRecord {
    const old = this.#record(params)
    if (params['type'] !== undefined && params['type'] !== old.type) throw invalid('invalid type')
    return this.put(judge(old.id, { ...old, ...params }))
  }

  remove(params: Body): void {
    this.delete(this.#record(params).id)
  }

  #record({ id }: Body): NjallaRecord {
    if (id === undefined || id === '') throw invalid('missing id')
    const found = this.get(id)
    if (!TYPES.has(found.type)) throw RULES.missing()
    return found
  }
}

function judge(id: string, params: Body): NjallaRecord {
  for (const name of ['name', 'type', 'content', 'ttl'])
    if (params[name] === undefined || params[name] === '') throw invalid(`missing ${name}`)
  const { type, content, ttl, prio } = params
  const name = textOf(params['name']).toLowerCase()
  if (name !== '@' && !isLabels(name)) throw invalid('invalid name')
  // The apex NS are the domain's own.
  if (typeof type !== 'string' || !TYPES.has(type) || (type === 'NS' && name === '@'))
    throw invalid('invalid type')
  if (typeof ttl !== 'number' || !TTLS.has(ttl)) throw invalid('invalid ttl')
  const hasPriority = type === 'MX' || type === 'SRV'
  if (hasPriority && prio === undefined) throw invalid('missing prio')
  const isPriority = type === 'MX' ? MX_PRIORITIES.has(prio) : isPort(prio)
  if (hasPriority && !isPriority) throw invalid('invalid prio')
  const endsInName = hasPriority || type === 'CNAME' || type === 'NS'
  if (typeof content !== 'string' || (endsInName && content.endsWith('.'))) throw invalid('invalid content')
  const record = { id, name, type, content, ttl, ...(hasPriority && { prio: Number(prio) }) }
  if (!isData(type, rdataOf(record))) throw invalid('invalid content')
  return type === 'AAAA' ? { ...record, content: longForm(content) } : record
}

/** All eight groups of an address, in full and in capitals. */
function longForm(address: string): string {
  const [head = '', tail] = address.split('::')
  const groupsOf = (text: string) => text.split(':').filter((group) => group !== '')
  const [before, after] = [groupsOf(head), groupsOf(tail ?? '')]
  const between = Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...between, ...after].map((group) => group.padStart(4, '0').toUpperCase()).join(':')
}

const rdataOf = ({ type, content, prio = 0 }: NjallaRecord) => joinContent(type, content, prio)

type NjallaCall = Call<NjallaDomain, { apiToken: string; readToken: string }>

function domainOf({ sim }: NjallaCall, { domain }: Body): NjallaDomain {
  if (domain === undefined || domain === '') throw invalid('missing domain')
  const found = sim.zones.get(textOf(domain))
  if (found === undefined) throw failure(404, 'Domain not found')
  return found
}

const METHODS: Record<string, (call: NjallaCall, params: Body) => object> = {
  'list-domains': ({ sim }) => ({ domains: sim.zoneNames().map((name) => ({ name, ...SHOWN })) }),
  'get-domain': (call, params) => ({ name: domainOf(call, params).name, ...SHOWN, ...MORE }),
  'list-records': (call, params) => ({ records: domainOf(call, params).records }),
  'add-record': (call, params) => domainOf(call, params).add(params),
  'edit-record': (call, params) => domainOf(call, params).edit(params),
  'remove-record': (call, params) => {
    domainOf(call, params).remove(params)
    return {}
  },
}

/** Njalla's JSON-RPC API. */
export default defineDialect({
  path: '/api/1/',
  keys: () => ({ apiToken: hexKey(20), readToken: hexKey(20) }),
  headers: ({ apiToken }) => ({ authorization: `Njalla ${apiToken}` }),
  newZone: (name) => new NjallaDomain(name),
  changes: ({ body }) => /"method"\s*:\s*"(add|edit|remove)-/.test(body),
  routes: {
    'POST /': (call) => {
      const { apiToken, readToken } = call.sim
      const [, token = ''] = /^Njalla (\S+)$/.exec(String(call.request.headers['authorization'])) ?? []
      if (token !== apiToken && token !== readToken) throw invalidToken
      const { method, params, id } = isBody(call.body) ? call.body : {}
      const run = METHODS[textOf(method)]
      if (run === undefined) throw failure(404, 'Unknown method')
      if (token === readToken && !/^(list|get)-/.test(textOf(method))) throw forbidden
      const result = run(call, isBody(params) ? params : {})
      return json(200, { jsonrpc: '2.0', ...(id !== undefined && { id }), result })
    },
  },
  errors: { noRoute: { status: 404 }, badJson: invalid('Invalid JSON') },
  suite: {
    credentials: ({ apiToken }) => ({ apiToken }),
    secret: 'apiToken',
    wrong: '7f3a'.repeat(10),
    seed: (domain, records) => {
      for (const { name, type, value, ttl } of records) {
        const { content, priority } = splitContent(type, value)
        domain.add({ name, type, ttl, content, ...(priority !== undefined && { prio: priority }) })
      }
    },
    held: (domain) => domain.records.map((record) => ({ ...record, rdata: rdataOf(record) })),
    foreign: (domain) => {
      domain.add({ name: 'foreign', type: 'A', content: '192.0.2.1', ttl: 3600 })
      domain.hold({ id: 'd', name: 'foreign', type: 'Dynamic', content: '', ttl: 60 })
      domain.hold({ id: 'r', name: 'jump', type: 'Redirect', content: 'https://www.example.net/', ttl: 3600 })
      return () => domain.lasting
    },
    faults: {
      unauthorized: invalidToken,
      forbidden,
      rateLimited: { status: 429, headers: { 'content-type': 'text/html' }, body: 'Too Many Requests' },
      failure: { status: 503, headers: { 'content-type': 'text/html' }, body: 'Service Unavailable' },
      refused: invalid,
    },
  },
})
