import { defineType } from './define.ts'
import { bindingFields, judgeBinding } from './fields/service-binding.ts'

export const HTTPS = defineType({
  type: 'HTTPS',
  title: 'How to reach a web site',
  help: 'Protocols, addresses and keys that browsers query first. Allowed at the apex, also as an alias.',
  rfc: 'RFC 9460 section 9',
  fields: bindingFields,
  judge: judgeBinding,
})
