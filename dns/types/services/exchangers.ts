import type { TargetRules } from '../../names/names.ts'
import { defineType } from '../define.ts'
import { target } from '../fields/names.ts'
import { uint16 } from '../fields/numbers.ts'

const AFS_SERVER: TargetRules = { what: 'an AFSDB must name a server', underscore: false, root: false }
const KEY_EXCHANGER: TargetRules = { what: 'a KX must name a host', underscore: false, root: true }

export const AFSDB = defineType({
  type: 'AFSDB',
  title: 'AFS database server',
  help: 'A server of an AFS cell or of DCE; SRV records replace it (RFC 5864).',
  rfc: 'RFC 1183 section 1',
  fields: {
    subtype: uint16({
      title: 'Subtype',
      choices: [
        { value: 1, title: 'Volume location server of an AFS cell' },
        { value: 2, title: 'DCE authentication server' },
      ],
      example: 1,
    }),
    host: target(AFS_SERVER, { title: 'Server', help: 'A full name', example: 'afs.example.com' }),
  },
})

export const KX = defineType({
  type: 'KX',
  title: 'Key exchanger',
  help: 'A host that exchanges keys on behalf of this name.',
  rfc: 'RFC 2230',
  fields: {
    preference: uint16({ title: 'Preference', help: 'The lowest is tried first', example: 10 }),
    host: target(KEY_EXCHANGER, { title: 'Host', help: 'A full name', example: 'kx.example.com' }),
  },
})
