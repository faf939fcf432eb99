import { defineType } from './define.ts'
import { ALGORITHM_NUMBERS, ALGORITHMS, warnOfAlgorithm } from './dnssec.ts'
import { base64 } from './fields/binary.ts'
import { uint16, uint8 } from './fields/numbers.ts'

export const dnskeyFields = {
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
export const judgeProtocol = ({ protocol }: { protocol: number }) =>
  protocol === 3
    ? []
    : [
        {
          field: 'protocol' as const,
          code: 'dnskey_protocol' as const,
          message: 'The protocol of a key must be 3',
        },
      ]

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
