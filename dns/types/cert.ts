import { defineType } from './define.ts'
import { ALGORITHM_NUMBERS, ALGORITHMS } from './dnssec.ts'
import { base64 } from './fields/binary.ts'
import { uint16, uint8 } from './fields/numbers.ts'

/** RFC 4398 section 2.1. */
const KINDS = {
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
      choices: Object.entries(KINDS).map(([title, value]) => ({ value, title })),
      mnemonics: KINDS,
      example: 1,
    }),
    keyTag: uint16({ title: 'Key tag', example: 0 }),
    algorithm: uint8({ title: 'Algorithm', choices: ALGORITHMS, mnemonics: ALGORITHM_NUMBERS, example: 0 }),
    certificate: base64({ title: 'Certificate', help: 'Base64', example: 'MIICajCCAdOgAwIBAgICBEQw' }),
  },
})
