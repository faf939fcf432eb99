import { readType, typeOf } from '../../../dns/types/index.ts'
import { Refused, isBody, json, textOf, type Body } from './answers.ts'
import { joinData } from './rdata.ts'

export interface NetcupRecord {
  id: string
  /** Relative to the zone, `@` for the apex. */
  hostname: string
  type: string
  /** Of MX; of others '0'. */
  priority: string
  /** Names without the final dot; text without quotes; of SRV `priority weight port target`. */
  destination: string
  deleterecord: boolean
  /** Whether it is in force yet. */
  state: 'yes' | 'no' | 'unknown'
}

export const TYPES = 'A AAAA MX CNAME CAA SRV TXT TLSA NS DS OPENPGPKEY SMIMEA SSHFP'.split(' ')
const LABELS = /^(\*|[a-z0-9_-]{1,63})(\.[a-z0-9_-]{1,63})*$/

/** Whatever went wrong, it is 200. */
export const failure = (statuscode: number, shortmessage: string, longmessage: string, action = '') =>
  new Refused(
    json(200, {
      serverrequestid: 'YxTr4EzdbJ101T211zR4yzUEMVE',
      clientrequestid: '',
      action,
      status: 'error',
      statuscode,
      shortmessage,
      longmessage,
      responsedata: '',
    }),
  )
export const invalid = (longmessage: string) => failure(4013, 'Validation Error.', longmessage)

let ids = 108_124

/** One zone, with the checks that netcup makes when it is changed. Its own NS are not among its records. */
export class NetcupZone {
  readonly name: string
  /** Seconds, of all records. */
  ttl: number
  serial = 2_026_112_201
  #records = new Map<string, NetcupRecord>()

  constructor(name: string, ttl = 86_400) {
    this.name = name
    this.ttl = ttl
  }

  /** Copies. */
  get records(): NetcupRecord[] {
    return structuredClone([...this.#records.values()])
  }

  /** Those with an id are changed or deleted, the others are made; all of that or nothing. Throws Refused. */
  update(bodies: unknown): void {
    if (!Array.isArray(bodies) || bodies.length === 0) throw invalid('Message is empty.')
    const before = new Map(this.#records)
    try {
      for (const body of bodies as unknown[]) this.#change(isBody(body) ? body : {})
    } catch (error) {
      this.#records = before
      throw error
    }
    this.serial++
  }

  #change(body: Body): void {
    const given = textOf(body['id'])
    const old = this.#records.get(given)
    if (given !== '' && old === undefined)
      throw failure(
        5028,
        'Update of DNS records failed',
        `Can not update (all) DNS records for zone. The record with id ${given} could not be found.`,
      )
    const isGone = body['deleterecord'] === true || body['deleterecord'] === 'true'
    if (isGone && old === undefined) throw invalid('A record without id can not be deleted.')
    if (isGone) this.#records.delete(given)
    else this.#put(judge(old?.id ?? String(++ids), body))
  }

  #put(record: NetcupRecord): void {
    const others = [...this.#records.values()].filter(
      ({ id, hostname }) => id !== record.id && hostname === record.hostname,
    )
    if (others.some(({ type }) => type === 'CNAME') || (record.type === 'CNAME' && others.length > 0))
      throw invalid('A CNAME record can not exist beside other records of the same host.')
    this.#records.set(record.id, record)
  }
}

function judge(id: string, body: Body): NetcupRecord {
  const { type, destination } = body
  const hostname = textOf(body['hostname']).toLowerCase()
  if (hostname !== '@' && !LABELS.test(hostname))
    throw invalid('der Host darf nicht leer sein oder aus Sonderzeichen bestehen')
  if (typeof type !== 'string' || !TYPES.includes(type) || (type === 'NS' && hostname === '@'))
    throw invalid('Value in field type does not match requirements of type: dnsrecordtype. ')
  const given = body['priority']
  const priority = typeof given === 'number' ? String(given) : textOf(given) || '0'
  if (!/^\d{1,5}$/.test(priority))
    throw invalid('Value in field priority does not match requirements of type: priority. ')
  if (typeof destination !== 'string' || destination === '')
    throw invalid('Value in field destination does not match requirements of type: destination. ')
  if (type === 'TXT' && /["\\]/.test(destination))
    throw invalid(
      'Please put quotation marks in front of a backslash. The name server automatically sets quotation marks at the beginning and end.',
    )
  const endsInName = ['CNAME', 'MX', 'NS', 'SRV'].includes(type)
  const bare = endsInName ? destination.replace(/\.$/, '') : destination
  const record: NetcupRecord = {
    id,
    hostname,
    type,
    priority: type === 'MX' ? priority : '0',
    destination: bare,
    deleterecord: false,
    state: 'unknown',
  }
  const known = readType(type)
  const isRead = known !== null && typeOf(known).read(presentationOf(record)) !== null
  // Of a lone dot nothing is left: whether it is taken for a name is not documented.
  if (!isRead || (endsInName && /(^| )$/.test(bare)))
    throw invalid(`The value of ${type} '${destination}' does not match the requirements of its type.`)
  return record
}

/** The data as a master file has it. */
export function presentationOf({
  type,
  priority,
  destination,
}: Pick<NetcupRecord, 'type' | 'priority' | 'destination'>): string {
  if (type === 'SRV') return `${destination}.`
  return joinData(type, { data: destination, priority: Number(priority) }, '')
}
