import { defineType } from './define.ts'
import { target } from './fields/names.ts'

export const DNAME = defineType({
  type: 'DNAME',
  title: 'Alias of all names below',
  help: 'Redirects all names below this one to the same names below the target; no records are allowed below this name.',
  rfc: 'RFC 6672',
  fields: {
    target: target(
      { what: 'a DNAME must point to a name', underscore: true, root: false },
      { title: 'Target', help: 'A full name', example: 'example.net' },
    ),
  },
})
