import { isIPv4, isIPv6 } from 'node:net'
import { Refused, isBody, json, type Body } from './answers.ts'

export interface LinodeRecord {
  id: number
  type: string
  /** Relative to the domain, '' for the apex; of SRV made of service and protocol. */
  name: string
  /** Names without the final dot. */
  target: string
  priority: number
  weight: number
  port: number
  /** With an underscore, which is sent without. */
  service: string | null
  /** With an underscore, which is sent without. */
  protocol: string | null
  /** Seconds; 0: Linode's default. */
  ttl_sec: number
  /** Of CAA, which has no flags. */
  tag: string | null
  created: string
  updated: string
}

export const TYPES = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SRV', 'TXT']
const TTLS = [
  0, 300, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 172_800, 345_600, 604_800, 1_209_600, 2_419_200,
]
const LABELS = /^(\*|[a-z0-9_-]{1,63})(\.[a-z0-9_-]{1,63})*$/
const PROTOCOLS = ['tcp', 'udp', 'xmpp', 'tls', 'smtp']

export const failure = (status: number, reason: string, field?: string) =>
  new Refused(json(status, { errors: [{ reason, ...(field !== undefined && { field }) }] }))
export const invalid = (field: string, reason: string) => failure(400, reason, field)
export const notFound = () => failure(404, 'Not found')

let ids = 9_295_231

/** One domain, with the checks that Linode makes when it is changed. All methods throw Refused. */
export class LinodeDomain {
  readonly id: number
  readonly name: string
  readonly type: 'master' | 'slave'
  readonly createdAt = now()
  soaEmail: string
  /** As a client once found it: a record that is made has the default, whatever was sent. */
  readonly #losesTtl: boolean
  readonly #records = new Map<number, LinodeRecord>()

  constructor(id: number, name: string, type: 'master' | 'slave' = 'master', losesTtl = false) {
    this.id = id
    this.name = name
    this.type = type
    this.soaEmail = `admin@${name}`
    this.#losesTtl = losesTtl
  }

  /** Copies. Linode's own NS are not among them. */
  get records(): LinodeRecord[] {
    return structuredClone([...this.#records.values()])
  }

  get(id: number): LinodeRecord {
    const found = this.#records.get(id)
    if (found === undefined) throw notFound()
    return structuredClone(found)
  }

  /** A record that is there already is made once more. */
  post(body: unknown): LinodeRecord {
    const created = now()
    const made = { id: ++ids, ...this.#judge(body), created, updated: created }
    return this.#put(this.#losesTtl ? { ...made, ttl_sec: 0 } : made)
  }

  /** What the body doesn't say stays; the type stays always. */
  put(id: number, body: unknown): LinodeRecord {
    const old = this.get(id)
    if (!isBody(body)) throw failure(400, 'Invalid JSON')
    if (body['type'] !== undefined && body['type'] !== old.type)
      throw invalid('type', 'The type cannot be changed')
    const bare = (label: string | null) => label?.replace(/^_/, '') ?? null
    const kept = {
      ...old,
      service: bare(old.service),
      protocol: bare(old.protocol),
      ...(old.type === 'SRV' && { name: '' }),
    }
    return this.#put({
      id,
      ...this.#judge({ ...kept, ...body }),
      created: old.created,
      updated: now(),
    })
  }

  delete(id: number): void {
    this.get(id)
    this.#records.delete(id)
  }

  #judge(body: unknown): Omit<LinodeRecord, 'id' | 'created' | 'updated'> {
    if (!isBody(body)) throw failure(400, 'Invalid JSON')
    if (this.type === 'slave') throw failure(400, 'Records of a slave domain cannot be changed')
    const { type, name = '', target } = body
    if (typeof type !== 'string' || !TYPES.includes(type)) throw invalid('type', 'Not a valid record type')
    if (typeof name !== 'string' || (name !== '' && !LABELS.test(name)))
      throw invalid('name', 'Invalid hostname')
    if (type === 'NS' && name === '') throw invalid('name', "Linode's name servers cannot be changed")
    if (typeof target !== 'string') throw invalid('target', 'target is required')
    const numberOf = (field: string, isNeeded: boolean) => {
      const value = body[field] ?? (isNeeded ? undefined : 0)
      if (!Number.isInteger(value) || Number(value) < 0 || Number(value) > 65_535)
        throw invalid(field, 'Must be 0-65535')
      return Number(value)
    }
    const isSrv = type === 'SRV'
    const { service, protocol } = isSrv ? serviceOf(body) : { service: null, protocol: null }
    return {
      type,
      name: isSrv ? `${service}.${protocol}` : name,
      target: targetOf(type, target),
      priority: numberOf('priority', type === 'MX' || isSrv),
      weight: numberOf('weight', isSrv),
      port: numberOf('port', isSrv),
      service,
      protocol,
      ttl_sec: ttlOf(body['ttl_sec'] ?? 0),
      tag: type === 'CAA' ? tagOf(body['tag']) : null,
    }
  }

  #put(record: LinodeRecord): LinodeRecord {
    const others = [...this.#records.values()].filter(
      ({ id, name }) => id !== record.id && name === record.name,
    )
    if (others.some(({ type }) => type === 'CNAME') || (record.type === 'CNAME' && others.length > 0))
      throw invalid('name', 'hostname cannot be the same as another record when type is CNAME')
    if (record.type === 'CNAME' && record.name === '')
      throw invalid('name', 'A CNAME cannot be at the root of a domain')
    this.#records.set(record.id, record)
    return structuredClone(record)
  }
}

const now = () => new Date().toISOString().slice(0, 19)

/** There is no SRV below another name than the domain's. */
function serviceOf({ service, protocol, name = '' }: Body): { service: string; protocol: string } {
  if (typeof service !== 'string' || !/^[a-z0-9-]+$/i.test(service))
    throw invalid('service', 'Must be letters, digits and hyphens; an underscore is prepended')
  if (typeof protocol !== 'string' || !PROTOCOLS.includes(protocol))
    throw invalid('protocol', `Please select a valid protocol ('${PROTOCOLS.join("', '")}')`)
  const whole = `_${service}._${protocol}`
  if (name !== '' && name !== whole) throw invalid('name', 'SRV has no name but its service and protocol')
  return { service: `_${service}`, protocol: `_${protocol}` }
}

function tagOf(tag: unknown): string {
  if (typeof tag !== 'string' || !['issue', 'issuewild', 'iodef'].includes(tag))
    throw invalid('tag', 'Must be issue, issuewild or iodef')
  return tag
}

/** The next longer one that there is. */
function ttlOf(ttl: unknown): number {
  const taken = TTLS.find((one) => one >= Number(ttl))
  if (!Number.isInteger(ttl) || Number(ttl) < 0 || taken === undefined)
    throw invalid('ttl_sec', `Must be one of ${TTLS.join(', ')}`)
  return taken
}

function targetOf(type: string, target: string): string {
  const refuse = (reason: string) => invalid('target', reason)
  if (type === 'A' && !isIPv4(target)) throw refuse('Must be a valid IPv4 address')
  if (type === 'AAAA' && !isIPv6(target)) throw refuse('Must be a valid IPv6 address')
  if (type === 'TXT' && target === '') throw refuse('target is required')
  if (type === 'CAA' && (target === '' || /[\s;]/.test(target))) throw refuse('Must be a valid domain')
  if (['A', 'AAAA', 'TXT', 'CAA'].includes(type)) return target
  // That there is no mail is said by nothing at all.
  if (type === 'MX' && target === '') return target
  const bare = target.replace(/\.$/, '')
  if (!LABELS.test(bare.toLowerCase())) throw refuse('Must be a valid domain')
  return bare
}
