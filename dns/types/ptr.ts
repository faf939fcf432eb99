import { defineType } from './define.ts'
import { target } from './fields/names.ts'

export const PTR = defineType({
  type: 'PTR',
  title: 'Pointer',
  help: 'The name of an address, in a reverse zone; or a service to discover (RFC 6763).',
  rfc: 'RFC 1035 section 3.3.12',
  fields: {
    target: target(
      { what: 'a PTR must point to a name', underscore: true, root: false },
      { title: 'Name', help: 'A full name', example: 'www.example.com' },
    ),
  },
})
