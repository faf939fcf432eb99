import { isDeepStrictEqual } from 'node:util'
import { randomBytes } from 'node:crypto'
import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json, textOf, type Body } from './answers.ts'
import { inZone, rdataOfEither } from './rdata.ts'

export interface OvhRecord {
  id: number
  zone: string
  /** '' for the apex. */
  subDomain: string
  fieldType: string
  /** As it was sent: also texts, and names without the final dot, which are relative. */
  target: string
  /** Seconds; 0: the zone's default. */
  ttl: number
}

/** Of the service behind the gateway. */
export const failure = (status: number, name: string, message: string) =>
  new Refused(answer(status, { class: `Client::${name}`, message }))

/** Every answer has a number by which support finds it. */
export const answer = (status: number, value: unknown, headers: Record<string, string> = {}) =>
  json(status, value, {
    'x-ovh-queryid': `EU.ext-1.${randomBytes(4).toString('hex')}.9.1`,
    ...headers,
  })

/** Of texts with a meaning of their own, which are TXT in the DNS. */
const TEXTS = new Set(['DKIM', 'DMARC', 'SPF', 'TXT'])
const TYPES = new Set([
  ...'A AAAA CAA CNAME DNAME HTTPS LOC MX NAPTR NS PTR RP SRV SSHFP SVCB TLSA'.split(' '),
  ...TEXTS,
])
const MIN_TTL = 60
const MAX_TTL = 2 ** 31 - 1

let ids = 5_153_644_690

/** One zone, with the checks that OVH makes when it is changed. All methods throw Refused. */
export class OvhZone {
  readonly name: string
  /** That many refreshes fail from now on. */
  failingRefreshes = 0
  #records = new Map<number, OvhRecord>()
  #published: OvhRecord[] = []

  constructor(name: string) {
    this.name = name
    for (const target of ['dns103.ovh.net.', 'ns103.ovh.net.']) this.create({ fieldType: 'NS', target })
    this.refresh()
  }

  /** Copies. */
  get records(): OvhRecord[] {
    return structuredClone([...this.#records.values()])
  }

  /** What was written is served. */
  get isDeployed(): boolean {
    return isDeepStrictEqual(this.#published, this.records)
  }

  refresh(): void {
    if (this.failingRefreshes-- > 0)
      throw new Refused(
        answer(500, { class: 'Server::InternalServerError', message: 'Internal server error' }),
      )
    this.#published = this.records
  }

  get(id: number): OvhRecord {
    const found = this.#records.get(id)
    if (found === undefined)
      throw failure(404, 'NotFound', `The requested object (id = ${id}) does not exist`)
    return structuredClone(found)
  }

  /** What is there already is made once more. */
  create(body: unknown): OvhRecord {
    const given = this.#given(body, ['fieldType', 'subDomain', 'target', 'ttl'], 'POST')
    const fieldType = textOf(given['fieldType'])
    if (given['fieldType'] === undefined || given['target'] === undefined)
      throw failure(400, 'BadRequest', '[fieldType] and [target] are required')
    if (!TYPES.has(fieldType))
      throw failure(
        400,
        'BadRequest',
        '[fieldType] Given data is not valid for type zone.NamedResolutionFieldTypeEnum',
      )
    return this.#put({
      id: ++ids,
      zone: this.name,
      fieldType,
      ...this.#judge(fieldType, { subDomain: '', ttl: 0, ...given }),
    })
  }

  /** What the body doesn't say stays, and so does the type. */
  update(id: number, body: unknown): void {
    const { fieldType, zone, ...old } = this.get(id)
    const given = this.#given(body, ['subDomain', 'target', 'ttl'], 'PUT')
    this.#put({ zone, fieldType, id, ...this.#judge(fieldType, { ...old, ...given }) })
  }

  delete(id: number): void {
    this.get(id)
    this.#records.delete(id)
  }

  #given(body: unknown, known: string[], method: string): Body {
    if (!isBody(body)) throw failure(400, 'BadRequest', 'Received an invalid body')
    const others = Object.keys(body).filter((name) => !known.includes(name))
    if (others.length > 0)
      throw failure(
        400,
        'BadRequest',
        `Received not described parameters: (${others.join(', ')}) when calling ${method} /domain/zone/${this.name}/record`,
      )
    return body
  }

  #judge(fieldType: string, { subDomain, target, ttl }: Body) {
    const name = textOf(subDomain).toLowerCase()
    const isGoodName = name === '' || /^(\*|[a-z0-9_-]{1,63})(\.[a-z0-9_-]{1,63})*$/.test(name)
    if (!isGoodName || name.length + this.name.length > 252)
      throw failure(400, 'BadRequest', 'Invalid subDomain')
    const isGoodTtl = ttl === 0 || (Number.isInteger(ttl) && Number(ttl) >= MIN_TTL && Number(ttl) <= MAX_TTL)
    if (!isGoodTtl) throw failure(400, 'BadRequest', `Invalid ttl, it is 0 or from ${MIN_TTL}`)
    const text = textOf(target)
    const known = readType(fieldType)
    const rdata = rdataOf({ zone: this.name, fieldType, target: text })
    const isGood = text !== '' && (known === null || typeOf(known).read(rdata) !== null)
    if (!isGood) throw failure(400, 'BadRequest', 'Invalid target')
    return { subDomain: name, target: text, ttl: Number(ttl) }
  }

  #put(record: OvhRecord): OvhRecord {
    const others = [...this.#records.values()].filter(
      ({ id, subDomain }) => id !== record.id && subDomain === record.subDomain,
    )
    const isClash = others.some(({ fieldType }) => fieldType === 'CNAME' || record.fieldType === 'CNAME')
    if (isClash)
      throw failure(409, 'Conflict', 'A CNAME record cannot coexist with another record of its subDomain')
    this.#records.set(record.id, record)
    return structuredClone(record)
  }
}

/** As a master file has it; `type` is that of the DNS. */
export const rdataOf = ({
  zone,
  fieldType,
  target,
}: Pick<OvhRecord, 'zone' | 'fieldType' | 'target'>): string =>
  TEXTS.has(fieldType) ? rdataOfEither(target) : inZone(fieldType, target, zone)

export const dnsTypeOf = ({ fieldType }: OvhRecord): string => (TEXTS.has(fieldType) ? 'TXT' : fieldType)
