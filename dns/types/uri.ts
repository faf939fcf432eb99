import { defineType } from './define.ts'
import { uint16 } from './fields/numbers.ts'
import { longText } from './fields/texts.ts'

export const URI = defineType({
  type: 'URI',
  title: 'Address of a service',
  help: 'A URI for a service; the name says which, such as _ftp._tcp.',
  rfc: 'RFC 7553',
  fields: {
    priority: uint16({ title: 'Priority', help: 'The smallest is tried first', example: 10 }),
    weight: uint16({ title: 'Weight', help: 'The share among those of one priority', example: 1 }),
    target: longText({ title: 'URI', example: 'ftp://ftp1.example.com/public' }),
  },
  judge: ({ target }) =>
    URL.canParse(target)
      ? []
      : [
          {
            field: 'target',
            code: 'uri_target',
            message: 'The URI must begin with its scheme, as "https://" does',
          },
        ],
})
