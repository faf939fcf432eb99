import type { DnsCode } from '../../text/codes.ts'
import { defineType } from '../define.ts'
import { hex } from '../fields/binary.ts'
import { uint8 } from '../fields/numbers.ts'

/** The mnemonics are those of RFC 7218. */
const tlsaFields = {
  usage: uint8({
    title: 'Usage',
    choices: [
      { value: 0, title: 'PKIX-TA: a certificate authority, validated as in browsers' },
      { value: 1, title: 'PKIX-EE: the server certificate, validated as in browsers' },
      { value: 2, title: 'DANE-TA: your own certificate authority' },
      { value: 3, title: 'DANE-EE: the server certificate only' },
    ],
    mnemonics: { 'PKIX-TA': 0, 'PKIX-EE': 1, 'DANE-TA': 2, 'DANE-EE': 3, PRIVCERT: 255 },
    example: 3,
  }),
  selector: uint8({
    title: 'Selector',
    choices: [
      { value: 0, title: 'The whole certificate' },
      { value: 1, title: 'The public key' },
    ],
    mnemonics: { CERT: 0, SPKI: 1, PRIVSEL: 255 },
    example: 1,
  }),
  matchingType: uint8({
    title: 'Matching type',
    choices: [
      { value: 0, title: 'The data itself' },
      { value: 1, title: 'Its SHA-256' },
      { value: 2, title: 'Its SHA-512' },
    ],
    mnemonics: { FULL: 0, 'SHA2-256': 1, 'SHA2-512': 2, PRIVMATCH: 255 },
    example: 1,
  }),
  data: hex({
    title: 'Data',
    help: 'Hexadecimal digits',
    example: '0c72ac70b745ac19998811b131d662c9ac69dbdbe7cb23e5b514b56664c5d3d6',
  }),
}

const BYTES: Record<number, number> = { 1: 32, 2: 64 }
const HIGHEST = { usage: 3, selector: 1, matchingType: 2 }

interface Tlsa {
  usage: number
  selector: number
  matchingType: number
  data: string
}

/** RFC 6698 section 2.1: 255 is for private use; the others in between are unassigned. */
function judgeTlsa(tlsa: Tlsa) {
  const faults: { field: keyof Tlsa; code: DnsCode; message: string }[] = []
  for (const [field, highest] of Object.entries(HIGHEST) as [keyof typeof HIGHEST, number][]) {
    if (tlsa[field] <= highest || tlsa[field] === 255) continue
    const message = `${field} ${tlsa[field]} is unassigned; use 0 to ${highest}`
    faults.push({ field, code: 'tlsa_unassigned', message })
  }
  const bytes = BYTES[tlsa.matchingType]
  if (bytes !== undefined && tlsa.data.length !== bytes * 2) {
    const message = `Data of matching type ${tlsa.matchingType} has ${bytes} bytes (${bytes * 2} digits), but this has ${tlsa.data.length} digits`
    faults.push({ field: 'data', code: 'digest_length', message })
  }
  return faults
}

export const TLSA = defineType({
  type: 'TLSA',
  title: 'Certificate of a TLS server',
  help: 'The certificate that a server presents (DANE); the name contains port and protocol, such as _443._tcp.',
  rfc: 'RFC 6698',
  fields: tlsaFields,
  judge: judgeTlsa,
})

export const SMIMEA = defineType({
  type: 'SMIMEA',
  title: 'Certificate of an email address',
  help: 'The certificate with which mail from an address is signed; the name is a digest of the address below _smimecert.',
  rfc: 'RFC 8162',
  fields: tlsaFields,
  judge: judgeTlsa,
})
