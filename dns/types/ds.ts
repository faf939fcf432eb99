import { defineType } from './define.ts'
import { ALGORITHM_NUMBERS, ALGORITHMS, DIGESTS, warnOfAlgorithm } from './dnssec.ts'
import { hex } from './fields/binary.ts'
import { uint16, uint8 } from './fields/numbers.ts'

export const dsFields = {
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
export function judgeDigest({ digestType, digest }: { digestType: number; digest: string }) {
  const known = DIGESTS.find(({ value }) => value === digestType)
  if (known === undefined || digest.length === known.bytes * 2) return []
  const message = `A digest of type ${digestType} (${known.title}) has ${known.bytes} bytes (${known.bytes * 2} digits), but this one has ${digest.length} digits`
  return [{ field: 'digest' as const, code: 'digest_length' as const, message }]
}

/** RFC 8624 section 3.3. */
export const warnOfDigest = (ds: { algorithm: number; digestType: number }) => [
  ...warnOfAlgorithm(ds),
  ...(ds.digestType === 1
    ? [
        {
          code: 'weak_digest' as const,
          message: 'SHA-1 is no longer safe as a digest; use SHA-256 (RFC 8624, 3.3)',
        },
      ]
    : []),
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
