import { splitTokens } from '../../../../dns/text/strings.ts'
import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { auditValues } from '../../shared/audits.ts'
import type { Refusal, RRsetEdit } from '../../contract.ts'

/* Technitium uses words instead of some numbers, so numbers without a word can't be written. */

/** Words by request parameter and number. */
export const WORDS: Record<string, Record<number, string>> = {
  algorithm: {
    1: 'RSAMD5',
    3: 'DSA',
    5: 'RSASHA1',
    6: 'DSA-NSEC3-SHA1',
    7: 'RSASHA1-NSEC3-SHA1',
    8: 'RSASHA256',
    10: 'RSASHA512',
    12: 'ECC-GOST',
    13: 'ECDSAP256SHA256',
    14: 'ECDSAP384SHA384',
    15: 'ED25519',
    16: 'ED448',
  },
  digestType: { 1: 'SHA1', 2: 'SHA256', 3: 'GOST-R-34-11-94', 4: 'SHA384' },
  sshfpAlgorithm: { 1: 'RSA', 2: 'DSA', 3: 'ECDSA', 4: 'Ed25519', 6: 'Ed448' },
  sshfpFingerprintType: { 1: 'SHA1', 2: 'SHA256' },
  tlsaCertificateUsage: { 0: 'PKIX-TA', 1: 'PKIX-EE', 2: 'DANE-TA', 3: 'DANE-EE' },
  tlsaSelector: { 0: 'Cert', 1: 'SPKI' },
  tlsaMatchingType: { 0: 'Full', 1: 'SHA2-256', 2: 'SHA2-512' },
}

/** Request parameters for the data of a type, in the order of zone files. */
export const PARAMETERS: Partial<Record<RecordType, readonly string[]>> = {
  A: ['ipAddress'],
  AAAA: ['ipAddress'],
  CNAME: ['cname'],
  NS: ['nameServer'],
  MX: ['preference', 'exchange'],
  TXT: ['text'],
  SRV: ['priority', 'weight', 'port', 'target'],
  CAA: ['flags', 'tag', 'value'],
  PTR: ['ptrName'],
  DNAME: ['dname'],
  DS: ['keyTag', 'algorithm', 'digestType', 'digest'],
  TLSA: ['tlsaCertificateUsage', 'tlsaSelector', 'tlsaMatchingType', 'tlsaCertificateAssociationData'],
  SSHFP: ['sshfpAlgorithm', 'sshfpFingerprintType', 'sshfpFingerprint'],
  NAPTR: ['naptrOrder', 'naptrPreference', 'naptrFlags', 'naptrServices', 'naptrRegexp', 'naptrReplacement'],
  SVCB: ['svcPriority', 'svcTargetName', 'svcParams'],
  HTTPS: ['svcPriority', 'svcTargetName', 'svcParams'],
  URI: ['uriPriority', 'uriWeight', 'uri'],
  ANAME: ['aname'],
}

/** The data of a canonical value, word by word. A service parameter is one word, as `key=value`. */
export function wordsOf(type: RecordType, value: string): string[] {
  const words: string[] = []
  for (const { raw, quoted } of splitTokens(typeOf(type).write(value), { pairs: true }) ?? []) {
    if (quoted && words.at(-1)?.endsWith('=') && isBinding(type)) words.push(`${words.pop()}${raw}`)
    else words.push(raw)
  }
  return words
}

export const isBinding = (type: RecordType): boolean => type === 'SVCB' || type === 'HTTPS'

const KEYS = ['mandatory', 'alpn', 'port', 'ipv4hint', 'ech', 'ipv6hint', 'dohpath']

/** A named key, with a value that has no special characters. */
const WRITABLE = new RegExp(`^(?:${KEYS.join('|')})=[^|"\\\\]+$`)

/** For `Provider.audit`. */
export const audit = (_: string, edits: readonly RRsetEdit[]): Refusal[] =>
  auditValues(edits, ({ value }, { type }) => {
    const words = wordsOf(type, value)
    if (isBinding(type) && !words.slice(2).every((word) => WRITABLE.test(word))) {
      const message = `must have only the parameters ${KEYS.join(', ')}, without "|", quotes and backslashes: Technitium does not accept others`
      return { field: 'value', code: 'service_parameter', message }
    }
    const unknown = words.find((word, at) => {
      const numbers = WORDS[PARAMETERS[type]?.[at] ?? '']
      return numbers !== undefined && !(word in numbers)
    })
    if (unknown === undefined) return null
    const message = `must not contain the number ${unknown} in this place: Technitium does not support it`
    return { field: 'value', code: 'unknown_number', message }
  })
