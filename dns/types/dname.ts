import { defineType } from './define.ts'
import { target } from './fields/names.ts'

export const DNAME = defineType({
  type: 'DNAME',
  title: 'Alias of all names below',
  help: 'Names below this one are looked up below the target; nothing of theirs can stand here.',
  rfc: 'RFC 6672',
  fields: {
    target: target(
      { what: 'a DNAME points to a name', underscore: true, root: false },
      { title: 'Target', help: 'A full name', example: 'example.net' },
    ),
  },
})
