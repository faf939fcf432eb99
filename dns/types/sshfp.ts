import { defineType } from './define.ts'
import { hex } from './fields/binary.ts'
import { uint8 } from './fields/numbers.ts'

const BYTES: Record<number, number> = { 1: 20, 2: 32 }

export const SSHFP = defineType({
  type: 'SSHFP',
  title: 'Key of an SSH server',
  help: 'The fingerprint of an SSH server key; created by ssh-keygen -r.',
  rfc: 'RFC 4255',
  fields: {
    algorithm: uint8({
      title: 'Algorithm',
      choices: [
        { value: 1, title: 'RSA' },
        { value: 2, title: 'DSA' },
        { value: 3, title: 'ECDSA (RFC 6594)' },
        { value: 4, title: 'Ed25519 (RFC 7479)' },
        { value: 6, title: 'Ed448 (RFC 8709)' },
      ],
      example: 4,
    }),
    fingerprintType: uint8({
      title: 'Fingerprint type',
      choices: [
        { value: 1, title: 'SHA-1' },
        { value: 2, title: 'SHA-256' },
      ],
      example: 2,
    }),
    fingerprint: hex({
      title: 'Fingerprint',
      help: 'Hexadecimal digits',
      example: '123456789abcdef67890123456789abcdef67890123456789abcdef123456789',
    }),
  },
  judge({ fingerprintType, fingerprint }) {
    const bytes = BYTES[fingerprintType]
    if (bytes === undefined || fingerprint.length === bytes * 2) return []
    const message = `A fingerprint of type ${fingerprintType} has ${bytes} bytes (${bytes * 2} digits), but this one has ${fingerprint.length} digits`
    return [{ field: 'fingerprint', code: 'digest_length', message }]
  },
  warn: ({ algorithm, fingerprintType }) => [
    ...(algorithm === 2
      ? [{ code: 'weak_algorithm' as const, message: 'SSH clients no longer accept DSA keys' }]
      : []),
    ...(fingerprintType === 1
      ? [
          {
            code: 'weak_digest' as const,
            message: 'SHA-1 is no longer safe as a fingerprint; use SHA-256 (RFC 6594)',
          },
        ]
      : []),
  ],
})
