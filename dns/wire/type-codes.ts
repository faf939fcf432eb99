/**
 * Numbers of record types (RFC 6895 section 3.1, IANA registry), including those that nobody edits: type
 * bitmaps contain them, and other programs show them.
 */
const CODES: Record<string, number> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  HINFO: 13,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  SIG: 24,
  KEY: 25,
  AAAA: 28,
  LOC: 29,
  SRV: 33,
  NAPTR: 35,
  KX: 36,
  CERT: 37,
  DNAME: 39,
  APL: 42,
  DS: 43,
  SSHFP: 44,
  IPSECKEY: 45,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  DHCID: 49,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  SMIMEA: 53,
  HIP: 55,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  CSYNC: 62,
  ZONEMD: 63,
  SVCB: 64,
  HTTPS: 65,
  SPF: 99,
  NID: 104,
  L32: 105,
  L64: 106,
  LP: 107,
  EUI48: 108,
  EUI64: 109,
  URI: 256,
  CAA: 257,
  AVC: 258,
  AMTRELAY: 260,
}

/** All of them. */
export const TYPE_CODES: readonly number[] = Object.values(CODES)

const NAMES = new Map(Object.entries(CODES).map(([name, code]) => [code, name]))

/**
 * The number of a type by its mnemonic in upper case or as `TYPE65534` (RFC 3597 section 5); null if it isn't
 * a type.
 */
export function typeCode(type: string): number | null {
  const known = Object.hasOwn(CODES, type) ? CODES[type] : undefined
  if (known !== undefined) return known
  const [, digits] = /^TYPE(0|[1-9][0-9]{0,4})$/.exec(type) ?? []
  const code = Number(digits ?? -1)
  return code >= 0 && code <= 65_535 ? code : null
}

/** The mnemonic of a number, or `TYPE65534` if it has none here. */
export const typeName = (code: number): string => NAMES.get(code) ?? `TYPE${code}`
