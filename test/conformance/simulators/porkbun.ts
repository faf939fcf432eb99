import { Refused, isBody, json, type Body } from './answers.ts'
import { MAX_TTL, hexKey, isData, isInteger, isLabels, isPort, isTarget } from './checks.ts'
import { defineDialect, type Call } from './dialect.ts'
import { atAsEmpty, joinContent, splitContent, withoutZone } from './rdata.ts'
import { RecordZone } from './record-zone.ts'

interface PorkbunRecord {
  /** A number as text. */
  id: string
  /** With the domain's, without the final dot. */
  name: string
  type: string
  /** Names without the final dot; of SRV `weight port target`. */
  content: string
  /** Seconds, as text. */
  ttl: string
  /** As text: '0' where it means nothing, null of Porkbun's own NS. */
  prio: string | null
  /** Of people for people. */
  notes: string | null
}

const TYPES = new Set('A AAAA ALIAS CAA CNAME HTTPS MX NS SRV SSHFP SVCB TLSA TXT'.split(' '))
const MIN_TTL = 600
const NAME_SERVERS = ['maceio.porkbun.com', 'salvador.porkbun.com', 'fortaleza.porkbun.com']

const failure = (message: string, status = 400) => new Refused(json(status, { status: 'ERROR', message }))

const notCreated = () => failure('Create error: We were unable to create the DNS record.')
const notEdited = () => failure('Edit error: We were unable to edit the DNS record.')

let ids = 421_642_400

const RULES = {
  id: 'id',
  name: 'name',
  type: 'type',
  missing: () => failure('Invalid record ID.'),
  clash: notCreated,
} as const

class PorkbunDomain extends RecordZone<PorkbunRecord> {
  /** The owner lets the API at it. */
  isOptedIn = true

  constructor(name: string) {
    const own = { name, type: 'NS', ttl: '86400', prio: null, notes: null }
    super(
      name,
      RULES,
      NAME_SERVERS.map((content) => ({ id: String(++ids), content, ...own })),
    )
  }

  /** A record that is there already is made once more. Answers its id, which is a number here alone. */
  create(body: Body): number {
    const made = this.#judge(String(++ids), body)
    if (made === null || this.clashes(made)) throw notCreated()
    this.hold({ ...made, notes: typeof body['notes'] === 'string' ? body['notes'] : null })
    return Number(made.id)
  }

  /** What the body doesn't say is the default; only of notes null says that they stay. No change at all is an error. */
  edit(id: string, body: Body): void {
    const old = this.#find(id)
    const made = this.#judge(id, body)
    if (made === null || this.clashes(made)) throw notEdited()
    const { notes } = body
    const edited = { ...made, notes: notes === null ? old.notes : typeof notes === 'string' ? notes : '' }
    const isSame = (field: keyof PorkbunRecord) => (old[field] ?? '') === (edited[field] ?? '')
    if ((Object.keys(edited) as (keyof PorkbunRecord)[]).every(isSame)) throw notEdited()
    this.hold(edited)
  }

  override delete(id: string): void {
    this.#find(id)
    super.delete(id)
  }

  /** Those of a type and a name relative to the domain, '' for the apex. */
  named(type: string, name: string): PorkbunRecord[] {
    const full = this.#full(name)
    return this.records.filter((record) => record.type === type && record.name === full)
  }

  #full(name: string): string {
    return name === '' ? this.name : `${name}.${this.name}`
  }

  #find(id: string): PorkbunRecord {
    const found = this.get(id)
    if (this.#isOwn(found)) throw notEdited()
    return found
  }

  /** NS at the apex go another way. */
  #isOwn({ type, name }: PorkbunRecord): boolean {
    return type === 'NS' && name === this.name
  }

  /** The record that the body says; null: there is none such. Why, nobody is told. */
  #judge(id: string, { name = '', type, content, ttl = MIN_TTL, prio }: Body): PorkbunRecord | null {
    if (typeof type !== 'string' || !TYPES.has(type)) return null
    if (typeof name !== 'string' || (name !== '' && !isLabels(name))) return null
    if (typeof content !== 'string' || !isContent(type, content)) return null
    const seconds = Number(ttl)
    if (!isInteger(seconds, MIN_TTL, MAX_TTL)) return null
    const needsPriority = type === 'MX' || type === 'SRV'
    const priority = Number(prio ?? (needsPriority ? NaN : 0))
    if (!isPort(priority)) return null
    const made: PorkbunRecord = {
      id,
      name: this.#full(name),
      type,
      // Space at the end is lost.
      content: content.trimEnd(),
      ttl: String(seconds),
      prio: String(priority),
      notes: null,
    }
    return this.#isOwn(made) ? null : made
  }
}

function isContent(type: string, content: string): boolean {
  if (type === 'TXT') return content.trim() !== ''
  if (type === 'CAA') return /^\d+ [a-z]+ "[^"\s]*"$/.test(content)
  if (['ALIAS', 'CNAME', 'NS'].includes(type)) return isTarget(content)
  if (type === 'MX') return content === '.' || isTarget(content)
  if (type === 'SRV') {
    const [, target] = /^\d{1,5} \d{1,5} (\S+)$/.exec(content) ?? []
    return target === '.' || isTarget(target)
  }
  return isData(type, content)
}

const DOMAINS_PAGE = 1000
const SHOWN = {
  createDate: '2024-01-01 00:00:00',
  expireDate: '2030-01-01 00:00:00',
  securityLock: '1',
  whoisPrivacy: '1',
  autoRenew: 0,
  notLocal: 0,
}

const wrongSecret = failure('Invalid API key. (002)')
const notOptedIn = failure(
  'Domain is not opted in to API access. You can enable API access for all domains globally from your account settings at porkbun.com.',
)
const success = (more: object = {}) => json(200, { status: 'SUCCESS', ...more })

type PorkbunCall = Call<PorkbunDomain, { key: string; secret: string }>

/** The body of a call with good keys. */
function bodyOf({ body: sent, sim }: PorkbunCall): Body {
  const body = isBody(sent) ? sent : {}
  if (body['apikey'] !== sim.key) throw failure('Invalid API key. (001)')
  if (body['secretapikey'] !== sim.secret) throw wrongSecret
  return body
}

/** A handler of calls for one domain. */
const ofDomain = (handle: (domain: PorkbunDomain, call: PorkbunCall, body: Body) => object | void) => {
  return (call: PorkbunCall) => {
    const body = bodyOf(call)
    if (!call.zone.isOptedIn) throw notOptedIn
    return success(handle(call.zone, call, body) ?? {})
  }
}
const listed = (records: unknown[]) => ({ cloudflare: 'enabled', records })

/** Porkbun's API v3: each call is a POST. */
export default defineDialect({
  path: '/api/json/v3',
  keys: () => ({ key: `pk1_${hexKey(32)}`, secret: `sk1_${hexKey(32)}` }),
  newZone: (name) => new PorkbunDomain(name),
  changes: ({ path }) => /\/dns\/(create|edit|delete)/.test(path),
  limits: [
    {
      // Of the real one no number is known; a proxy before it refuses.
      option: 'rate',
      seconds: 60,
      refuse: () => ({
        status: 503,
        headers: { 'content-type': 'text/html', 'retry-after': '1' },
        body: '<html><body>503 Service Temporarily Unavailable</body></html>',
      }),
    },
  ],
  routes: {
    'POST /ping': (call) => {
      bodyOf(call)
      return success({ yourIp: '192.0.2.1', xForwardedFor: '192.0.2.1' })
    },
    // Also of those that the API is not let at.
    'POST /domain/listAll': (call) => {
      const start = Number(bodyOf(call)['start'] ?? 0)
      if (!isInteger(start, 0, Infinity)) throw failure('Invalid start.')
      const domains = call.sim.zoneNames().slice(start, start + DOMAINS_PAGE)
      return success({
        domains: domains.map((domain) => ({
          domain,
          status: 'ACTIVE',
          tld: domain.slice(domain.lastIndexOf('.') + 1),
          ...SHOWN,
        })),
      })
    },
    'POST /dns/retrieve/:zone': ofDomain(({ records }) => listed(records)),
    'POST /dns/retrieve/:zone/:id': ofDomain((domain, call) =>
      listed(domain.records.filter(({ id }) => id === call.id)),
    ),
    'POST /dns/retrieveByNameType/:zone/:type': ofDomain((domain, { params: { type = '' } }) =>
      listed(domain.named(type, '')),
    ),
    'POST /dns/retrieveByNameType/:zone/:type/:name': ofDomain(
      (domain, { params: { type = '', name = '' } }) => listed(domain.named(type, name)),
    ),
    'POST /dns/create/:zone': ofDomain((domain, _, body) => ({ id: domain.create(body) })),
    'POST /dns/edit/:zone/:id': ofDomain((domain, { id }, body) => domain.edit(id, body)),
    'POST /dns/delete/:zone/:id': ofDomain((domain, { id }) => domain.delete(id)),
  },
  errors: {
    noRoute: failure('Invalid command.', 404),
    notAllowed: failure('Invalid request method.', 405),
    noZone: failure('Invalid domain.'),
    badJson: failure('Invalid JSON.'),
  },
  suite: {
    credentials: ({ key, secret }) => ({ apiKey: key, secretApiKey: secret }),
    secret: 'secretApiKey',
    wrong: `sk1_${'7f3a'.repeat(16)}`,
    seed: (domain, records) => {
      for (const { name, type, value, ttl, member } of records) {
        const { content, priority: prio = 0 } = splitContent(type, value)
        const notes = member.comment
        domain.create({
          type,
          name: atAsEmpty(name),
          content,
          prio,
          ttl,
          ...(notes !== undefined && { notes }),
        })
      }
    },
    held: (domain) =>
      domain.added.map(({ type, name, content, prio, ttl, notes }) => ({
        type,
        name: withoutZone(name, domain.name),
        rdata: joinContent(type, content, Number(prio), domain.name),
        ttl: Number(ttl),
        comment: notes,
      })),
    faults: {
      unauthorized: wrongSecret,
      forbidden: notOptedIn,
      rateLimited: failure('Too many requests.', 429),
      failure: failure('Internal server error.', 500),
      refused: (reason) => failure(reason),
    },
  },
})
