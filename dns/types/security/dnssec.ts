import { defineType, faultIf } from '../define.ts'
import { warnIf } from '../definition.ts'
import { base64, hex } from '../fields/binary.ts'
import { uint16, uint8 } from '../fields/numbers.ts'

/** DNSSEC algorithms in use (RFC 8624, RFC 9558, RFC 9563; IANA registry). */
export const ALGORITHMS = [
  { value: 5, title: 'RSASHA1 (obsolete)' },
  { value: 7, title: 'RSASHA1-NSEC3-SHA1 (obsolete)' },
  { value: 8, title: 'RSASHA256' },
  { value: 10, title: 'RSASHA512' },
  { value: 13, title: 'ECDSAP256SHA256' },
  { value: 14, title: 'ECDSAP384SHA384' },
  { value: 15, title: 'ED25519' },
  { value: 16, title: 'ED448' },
] as const

const OUTDATED = new Set([1, 3, 5, 6, 7, 12])

/** RFC 8624 section 3.1: algorithms that validators no longer accept. */
const warnOfAlgorithm = ({ algorithm }: { algorithm: number }) =>
  warnIf(
    OUTDATED.has(algorithm),
    'weak_algorithm',
    `DNSSEC algorithm ${algorithm} is no longer safe (RFC 8624, 3.1)`,
  )

/** Names used in zone files (RFC 4034 appendix A.1). */
export const ALGORITHM_NUMBERS = {
  RSAMD5: 1,
  DH: 2,
  DSA: 3,
  RSASHA1: 5,
  'DSA-NSEC3-SHA1': 6,
  'RSASHA1-NSEC3-SHA1': 7,
  NSEC3RSASHA1: 7,
  RSASHA256: 8,
  RSASHA512: 10,
  ECCGOST: 12,
  'ECC-GOST': 12,
  ECDSAP256SHA256: 13,
  ECDSAP384SHA384: 14,
  ED25519: 15,
  ED448: 16,
  INDIRECT: 252,
  PRIVATEDNS: 253,
  PRIVATEOID: 254,
} as const

/** The digests of DS (RFC 4034, RFC 4509, RFC 5933, RFC 6605) and their length in bytes. */
const DIGESTS = [
  { value: 1, title: 'SHA-1 (obsolete)', bytes: 20 },
  { value: 2, title: 'SHA-256', bytes: 32 },
  { value: 3, title: 'GOST R 34.11-94', bytes: 32 },
  { value: 4, title: 'SHA-384', bytes: 48 },
] as const

const dsFields = {
  keyTag: uint16({ title: 'Key tag', example: 60485 }),
  algorithm: uint8({
    title: 'Algorithm',
    help: 'Algorithm of the key',
    choices: ALGORITHMS,
    mnemonics: ALGORITHM_NUMBERS,
    example: 13,
  }),
  digestType: uint8({
    title: 'Digest type',
    choices: DIGESTS.map(({ value, title }) => ({ value, title })),
    example: 2,
  }),
  digest: hex({
    title: 'Digest',
    help: 'Digest of the key, in hexadecimal digits',
    example: 'e2d3c916f6deeac73294e8268fb5885044a833fc5459588f4a9184cfc41a5766',
  }),
}

/** Length implied by the digest type. */
function judgeDigest({ digestType, digest }: { digestType: number; digest: string }) {
  const known = DIGESTS.find(({ value }) => value === digestType)
  if (known === undefined || digest.length === known.bytes * 2) return []
  const message = `A digest of type ${digestType} (${known.title}) has ${known.bytes} bytes (${known.bytes * 2} digits), but this one has ${digest.length} digits`
  return [{ field: 'digest' as const, code: 'digest_length' as const, message }]
}

/** RFC 8624 section 3.3. */
const warnOfDigest = (ds: { algorithm: number; digestType: number }) => [
  ...warnOfAlgorithm(ds),
  ...warnIf(
    ds.digestType === 1,
    'weak_digest',
    'SHA-1 is no longer safe as a digest; use SHA-256 (RFC 8624, 3.3)',
  ),
]

export const DS = defineType({
  type: 'DS',
  title: 'Signer of a delegated zone',
  help: 'The key with which a zone delegated here is signed; belongs next to its NS records.',
  rfc: 'RFC 4034 section 5',
  place: 'below',
  fields: dsFields,
  judge: judgeDigest,
  warn: warnOfDigest,
})

export const CDS = defineType({
  type: 'CDS',
  title: 'DS requested from the parent',
  help: 'The DS that the parent zone should publish; "0 0 0 00" asks it to remove all DS records (RFC 8078).',
  rfc: 'RFC 7344 section 3.1',
  place: 'apex',
  fields: dsFields,
  judge: judgeDigest,
  warn: warnOfDigest,
})

const dnskeyFields = {
  flags: uint16({
    title: 'Flags',
    choices: [
      { value: 256, title: 'Key that signs the zone' },
      { value: 257, title: 'Key-signing key (secure entry point)' },
    ],
    example: 257,
  }),
  protocol: uint8({ title: 'Protocol', help: 'Always 3', example: 3 }),
  algorithm: uint8({ title: 'Algorithm', choices: ALGORITHMS, mnemonics: ALGORITHM_NUMBERS, example: 15 }),
  publicKey: base64({
    title: 'Public key',
    help: 'Base64',
    example: 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=',
  }),
}

/** RFC 4034 section 2.1.2. */
const judgeProtocol = ({ protocol }: { protocol: number }) =>
  faultIf(protocol !== 3, 'protocol', 'dnskey_protocol', 'The protocol of a key must be 3')

export const DNSKEY = defineType({
  type: 'DNSKEY',
  title: 'Key of the zone',
  help: 'A public key that the zone is signed with. Usually published by whoever signs the zone.',
  rfc: 'RFC 4034 section 2',
  place: 'apex',
  fields: dnskeyFields,
  judge: judgeProtocol,
  warn: warnOfAlgorithm,
})

export const CDNSKEY = defineType({
  type: 'CDNSKEY',
  title: 'Key for the DS in the parent',
  help: 'The key from which the parent zone should create its DS; "0 3 0 AA==" asks it to remove all DS records (RFC 8078).',
  rfc: 'RFC 7344 section 3.2',
  place: 'apex',
  fields: dnskeyFields,
  judge: judgeProtocol,
  warn: warnOfAlgorithm,
})

export const KEY = defineType({
  type: 'KEY',
  title: 'Key of a host (SIG(0))',
  help: 'The public key with which this host signs its messages, such as dynamic updates (RFC 2931).',
  rfc: 'RFC 2535 section 3, RFC 3445',
  fields: { ...dnskeyFields, flags: uint16({ title: 'Flags', example: 512 }) },
  judge: judgeProtocol,
  warn: warnOfAlgorithm,
})
