import { isBelow } from '../../../dns/names/names.ts'
import { typeOf } from '../../../dns/types/index.ts'
import { RCODE, type ResourceRecord } from '../../../dns/wire/message.ts'
import { typeCode } from '../../../dns/wire/type-codes.ts'
import { WireReader } from '../../../dns/wire/wire.ts'
import type { DnsAnswer } from '../../../plugins/outbound/dns/index.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
import type { Expected } from './expected.ts'

/** What an answer says about an RRset: the server's state, or how the RRset compares. */
export type Comparison =
  | { state: 'refused' | 'lame' | 'agrees' }
  | { state: 'differs' | 'not_comparable'; answer: string[] }

/**
 * Compares an answer with the stored RRset. TTLs don't count. An answer that is not authoritative is a referral (RFC 1034
 * section 4.3.2): right at and below a delegation of the zone, and otherwise the server doesn't have the zone.
 */
export function compare(expected: Expected, answer: DnsAnswer): Comparison {
  const { owner, type, cut } = expected
  if (answer.rcode === RCODE.REFUSED) return { state: 'refused' }
  if (answer.rcode !== RCODE.NOERROR && answer.rcode !== RCODE.NXDOMAIN) return { state: 'lame' }
  if (!answer.isAuthoritative) return compareReferral(expected, answer)
  const found = recordsOf(answer.answers, owner, type)
  if (isServed(expected, found)) return { state: 'agrees' }
  // The server has the delegated zone, too, and answers from it. DS records are above the cut (RFC 4035 section 3.1.4.1).
  const isOfChild = cut !== null && !(type === 'DS' && cut === owner)
  return { state: isOfChild ? 'not_comparable' : 'differs', answer: shown(found, type) }
}

function isServed({ type, values, wildcards }: Expected, found: ResourceRecord[]): boolean {
  if (isSameSet(type, values, found)) return true
  return values.length === 0 && wildcards.some((wildcard) => isSameSet(type, wildcard, found))
}

function compareReferral(expected: Expected, { authorities, additionals }: DnsAnswer): Comparison {
  const { owner, type, cut, values, zone } = expected
  const referral = authorities.find((record) => record.type === typeCode('NS'))?.name
  if (referral === undefined || !isBelow(referral, zone) || !isWithin(owner, referral))
    return { state: 'lame' }
  const found = recordsOf(type === 'NS' && referral === owner ? authorities : additionals, owner, type)
  if (referral !== cut) return { state: 'differs', answer: shown(found, type) }
  if (isSameSet(type, values, found)) return { state: 'agrees' }
  // Servers may leave out glue.
  return { state: type === 'NS' && cut === owner ? 'differs' : 'not_comparable', answer: shown(found, type) }
}

const isWithin = (name: string, zone: string) => name === zone || isBelow(name, zone)

const recordsOf = (records: ResourceRecord[], owner: string, type: RecordType) =>
  records.filter((record) => record.name === owner && record.type === typeOf(type).code)

function isSameSet(type: RecordType, values: readonly string[], found: ResourceRecord[]): boolean {
  const definition = typeOf(type)
  const wanted = new Set(values.map((value) => comparable(type, value, definition.toWire(value))))
  const there = new Set(found.map(({ data }) => comparable(type, definition.fromWire(data), data)))
  return wanted.size === there.size && [...wanted].every((value) => there.has(value))
}

/** Providers split long texts in different places, which readers join (RFC 7208 section 3.3). */
function comparable(type: RecordType, value: string | null, data: Uint8Array): string {
  if (type !== 'TXT') return value ?? Buffer.from(data).toString('hex')
  const input = new WireReader(data)
  const strings: Uint8Array[] = []
  while (input.left > 0) strings.push(input.string())
  return Buffer.concat(strings).toString('hex')
}

/** Of one answer that is stored. */
const MAX_SHOWN = 20
const MAX_SHOWN_LENGTH = 300

const shown = (records: ResourceRecord[], type: RecordType): string[] =>
  records
    .slice(0, MAX_SHOWN)
    .map(({ data }) =>
      (typeOf(type).fromWire(data) ?? Buffer.from(data).toString('hex')).slice(0, MAX_SHOWN_LENGTH),
    )
