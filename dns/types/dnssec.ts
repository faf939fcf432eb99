import type { TypeWarning } from './definition.ts'
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
export const warnOfAlgorithm = ({ algorithm }: { algorithm: number }): TypeWarning[] =>
  OUTDATED.has(algorithm)
    ? [{ code: 'weak_algorithm', message: `DNSSEC algorithm ${algorithm} is no longer safe (RFC 8624, 3.1)` }]
    : []

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
export const DIGESTS = [
  { value: 1, title: 'SHA-1 (obsolete)', bytes: 20 },
  { value: 2, title: 'SHA-256', bytes: 32 },
  { value: 3, title: 'GOST R 34.11-94', bytes: 32 },
  { value: 4, title: 'SHA-384', bytes: 48 },
] as const
