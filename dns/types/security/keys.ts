import { defineType } from '../define.ts'
import { warnIf } from '../definition.ts'
import { ALGORITHM_NUMBERS, ALGORITHMS } from './dnssec.ts'
import { base64, hex } from '../fields/binary.ts'
import { uint16, uint8 } from '../fields/numbers.ts'

/** RFC 4398 section 2.1. */
const CERTIFICATE_KINDS = {
  PKIX: 1,
  SPKI: 2,
  PGP: 3,
  IPKIX: 4,
  ISPKI: 5,
  IPGP: 6,
  ACPKIX: 7,
  IACPKIX: 8,
  URI: 253,
  OID: 254,
}

export const CERT = defineType({
  type: 'CERT',
  title: 'Certificate',
  help: 'A certificate, or a reference to one.',
  rfc: 'RFC 4398',
  fields: {
    kind: uint16({
      title: 'Kind',
      choices: Object.entries(CERTIFICATE_KINDS).map(([title, value]) => ({ value, title })),
      mnemonics: CERTIFICATE_KINDS,
      example: 1,
    }),
    keyTag: uint16({ title: 'Key tag', example: 0 }),
    algorithm: uint8({ title: 'Algorithm', choices: ALGORITHMS, mnemonics: ALGORITHM_NUMBERS, example: 0 }),
    certificate: base64({ title: 'Certificate', help: 'Base64', example: 'MIICajCCAdOgAwIBAgICBEQw' }),
  },
})

export const OPENPGPKEY = defineType({
  type: 'OPENPGPKEY',
  title: 'OpenPGP key of an email address',
  help: 'A public key in binary form; the name is a digest of the email address below _openpgpkey.',
  rfc: 'RFC 7929',
  fields: {
    publicKey: base64({ title: 'Public key', help: 'Base64, without armor', example: 'mQENBFVHm5sBCADd' }),
  },
})

export const DHCID = defineType({
  type: 'DHCID',
  title: 'DHCP client of a name',
  help: 'A digest of the DHCP client that a name belongs to; DHCP servers write it beside its addresses.',
  rfc: 'RFC 4701',
  fields: {
    digest: base64({
      title: 'Digest',
      help: 'Base64',
      // RFC 4701 section 3.6.1.
      example: 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=',
    }),
  },
})

/** By fingerprint type. */
const FINGERPRINT_BYTES: Record<number, number> = { 1: 20, 2: 32 }

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
    const bytes = FINGERPRINT_BYTES[fingerprintType]
    if (bytes === undefined || fingerprint.length === bytes * 2) return []
    const message = `A fingerprint of type ${fingerprintType} has ${bytes} bytes (${bytes * 2} digits), but this one has ${fingerprint.length} digits`
    return [{ field: 'fingerprint', code: 'digest_length', message }]
  },
  warn: ({ algorithm, fingerprintType }) => [
    ...warnIf(algorithm === 2, 'weak_algorithm', 'SSH clients no longer accept DSA keys'),
    ...warnIf(
      fingerprintType === 1,
      'weak_digest',
      'SHA-1 is no longer safe as a fingerprint; use SHA-256 (RFC 6594)',
    ),
  ],
})
