import { typeCode, typeName } from '../wire/type-codes.ts'
import { A, AAAA, EUI48, EUI64 } from './hosts/addresses.ts'
import { CSYNC, ZONEMD } from './security/apex.ts'
import { APL } from './hosts/apl.ts'
import { CAA } from './security/caa.ts'
import type { RecordTypeDefinition } from './definition.ts'
import { CDNSKEY, CDS, DNSKEY, DS, KEY } from './security/dnssec.ts'
import { HINFO, LOC, RP } from './hosts/host-information.ts'
import { IPSECKEY } from './security/ipsec.ts'
import { CERT, DHCID, OPENPGPKEY, SSHFP } from './security/keys.ts'
import { L32, L64, LP, NID } from './hosts/locators.ts'
import { AFSDB, KX } from './services/exchangers.ts'
import { MX } from './services/mx.ts'
import { NAPTR } from './services/naptr.ts'
import { SRV } from './services/srv.ts'
import { HTTPS, SVCB } from './services/svcb.ts'
import { ALIAS, ANAME, CNAME, DNAME, NS, PTR } from './hosts/targets.ts'
import { SMIMEA, TLSA } from './security/tlsa.ts'
import { TXT } from './txt.ts'
import { unknownType } from './unknown.ts'
import { URI } from './services/uri.ts'
import { priorityError, type RecordData, type ValueCheck, type ValueError } from './values.ts'

export type { FieldInfo, RecordTypeDefinition } from './definition.ts'
export { priorityOf } from './numbers.ts'
export type { DataValue, RecordData, ValueCheck, ValueError } from './values.ts'
export { checkTxtStrings } from './txt.ts'

/** All record types with their own form, in display order. */
const DEFINITIONS = {
  A,
  AAAA,
  CNAME,
  NS,
  MX,
  TXT,
  SRV,
  CAA,
  PTR,
  DNAME,
  DS,
  CDS,
  CDNSKEY,
  DNSKEY,
  TLSA,
  SMIMEA,
  SSHFP,
  OPENPGPKEY,
  NAPTR,
  SVCB,
  HTTPS,
  LOC,
  URI,
  HINFO,
  RP,
  CERT,
  CSYNC,
  APL,
  EUI48,
  EUI64,
  DHCID,
  ZONEMD,
  IPSECKEY,
  KX,
  AFSDB,
  KEY,
  NID,
  L32,
  L64,
  LP,
  ALIAS,
  ANAME,
} satisfies Record<string, RecordTypeDefinition>

type NamedType = keyof typeof DEFINITIONS

/** A record type by name; types without a name as `TYPE65534` (RFC 3597). */
export type RecordType = NamedType | `TYPE${number}`

export const RECORD_TYPES = Object.keys(DEFINITIONS) as readonly NamedType[]

/** The definition of the type. */
export const typeOf = (type: RecordType): RecordTypeDefinition =>
  Object.hasOwn(DEFINITIONS, type) ? DEFINITIONS[type as NamedType] : unknownType(type)

/**
 * Our name for a type as servers and programs write it: `type28` is AAAA. A type without a form of its own here is known
 * by its number alone, `TYPE55`. Null if users have no records of the type.
 */
export function readType(text: string): RecordType | null {
  const given = text.toUpperCase()
  const code = typeCode(given)
  const name = code === null ? given : typeName(code)
  if (Object.hasOwn(DEFINITIONS, name)) return name as NamedType
  const isNumber = code !== null && given === `TYPE${code}`
  return isNumber && !isMeta(code) && !OF_SERVERS.has(name) ? `TYPE${code}` : null
}

/** Records that the server of a zone makes, for the zone as a whole or for its signatures. */
const OF_SERVERS: ReadonlySet<string> = new Set(['SOA', 'SIG', 'RRSIG', 'NSEC', 'NSEC3', 'NSEC3PARAM'])

/** Types of questions and messages, or reserved (RFC 6895 section 3.1). */
const isMeta = (code: number): boolean =>
  code === 0 || code === 41 || (code >= 128 && code <= 255) || code === 65_535

/**
 * Checks a user's value of a record and returns its canonical form, which is stored, compared and shown. A
 * canonical value is returned unchanged. Never throws. `priority` is the separate field: for MX and SRV it
 * replaces or must equal the first number of the value, for other types it is null or missing.
 */
export function checkValue(type: RecordType, value: string, priority: number | null = null): ValueCheck {
  return withoutPriority(type, priority, typeOf(type).check(value, priority))
}

/** The same for single fields, as described by `typeOf(type).fields`. */
export function checkData(type: RecordType, data: RecordData, priority: number | null = null): ValueCheck {
  const checked = typeOf(type).checkData(data)
  if (checked.ok && priority !== null && checked.priority !== null && priority !== checked.priority) {
    const message = `The priority is ${priority}, but the data has ${checked.priority}; use the same number in both`
    return { ok: false, errors: [priorityError('priority_differs', message)] }
  }
  return withoutPriority(type, priority, checked)
}

function withoutPriority(type: RecordType, priority: number | null, checked: ValueCheck): ValueCheck {
  if (type === 'MX' || type === 'SRV' || priority === null) return checked
  const errors: ValueError[] = checked.ok ? [] : checked.errors
  return {
    ok: false,
    errors: [
      ...errors,
      priorityError('priority_not_allowed', 'Only MX and SRV have a priority; leave it null'),
    ],
  }
}
