import { defineType, faultIf } from '../define.ts'
import { uint16 } from '../fields/numbers.ts'
import { longText } from '../fields/texts.ts'

export const URI = defineType({
  type: 'URI',
  title: 'Address of a service',
  help: 'A URI for a service; the name identifies the service, such as _ftp._tcp.',
  rfc: 'RFC 7553',
  fields: {
    priority: uint16({ title: 'Priority', help: 'The lowest is tried first', example: 10 }),
    weight: uint16({ title: 'Weight', help: 'Share of requests within one priority', example: 1 }),
    target: longText({ title: 'URI', example: 'ftp://ftp1.example.com/public' }),
  },
  judge: ({ target }) =>
    faultIf(
      !URL.canParse(target),
      'target',
      'uri_target',
      'The URI must start with a scheme such as "https://"',
    ),
})
