import { defineType } from './define.ts'
import { hex } from './fields/binary.ts'
import { uint32, uint8 } from './fields/numbers.ts'

export const ZONEMD = defineType({
  type: 'ZONEMD',
  title: 'Digest of the zone',
  help: 'Made by who signs or serves the zone: every change of the zone makes another one.',
  rfc: 'RFC 8976',
  place: 'apex',
  readOnly: true,
  fields: {
    serial: uint32({ title: 'Serial', example: 2018031500 }),
    scheme: uint8({ title: 'Scheme', example: 1 }),
    hashAlgorithm: uint8({
      title: 'Hash algorithm',
      choices: [
        { value: 1, title: 'SHA-384' },
        { value: 2, title: 'SHA-512' },
      ],
      example: 1,
    }),
    digest: hex({
      title: 'Digest',
      example:
        'c68090d90a7aed716bc459f9340e3d7c1370d4d24b7e2fc3a1ddc0b9a87153b9a9713b3c9ae5cc27777f98b8e730044c',
    }),
  },
})
