import { defineType } from './define.ts'
import { bindingFields, judgeBinding } from './fields/service-binding.ts'

export const HTTPS = defineType({
  type: 'HTTPS',
  title: 'How a web site is reached',
  help: 'Protocols, addresses and keys that browsers ask for at first; may stand at the apex, also as an alias.',
  rfc: 'RFC 9460 section 9',
  fields: bindingFields,
  judge: judgeBinding,
})
