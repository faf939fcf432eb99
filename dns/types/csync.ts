import { defineType } from './define.ts'
import { uint16, uint32 } from './fields/numbers.ts'
import { typeBitmap } from './fields/type-bitmap.ts'

export const CSYNC = defineType({
  type: 'CSYNC',
  title: 'Records to copy to the parent',
  help: 'Which records the parent zone should copy from this one.',
  rfc: 'RFC 7477',
  place: 'apex',
  fields: {
    serial: uint32({ title: 'Serial', help: 'The SOA serial from which the record applies', example: 66 }),
    flags: uint16({
      title: 'Flags',
      choices: [
        { value: 0, title: 'Only after manual review' },
        { value: 1, title: 'Immediately' },
        { value: 2, title: 'Only from this serial on' },
        { value: 3, title: 'Immediately, only from this serial on' },
      ],
      example: 3,
    }),
    types: typeBitmap({ title: 'Record types', example: ['A', 'NS', 'AAAA'] }),
  },
})
