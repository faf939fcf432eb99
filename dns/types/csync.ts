import { defineType } from './define.ts'
import { uint16, uint32 } from './fields/numbers.ts'
import { typeBitmap } from './fields/type-bitmap.ts'

export const CSYNC = defineType({
  type: 'CSYNC',
  title: 'Records wanted in the parent',
  help: 'Which records the zone above shall copy from this one.',
  rfc: 'RFC 7477',
  place: 'apex',
  fields: {
    serial: uint32({ title: 'Serial', help: 'Of the SOA from which on it counts', example: 66 }),
    flags: uint16({
      title: 'Flags',
      choices: [
        { value: 0, title: 'Only after somebody has looked at it' },
        { value: 1, title: 'At once' },
        { value: 2, title: 'Only from the serial on' },
        { value: 3, title: 'At once, only from the serial on' },
      ],
      example: 3,
    }),
    types: typeBitmap({ title: 'Record types', example: ['A', 'NS', 'AAAA'] }),
  },
})
