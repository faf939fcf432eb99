import { defineType } from './define.ts'
import { bindingFields, judgeBinding } from './fields/service-binding.ts'

export const SVCB = defineType({
  type: 'SVCB',
  title: 'Service binding',
  help: 'How a service is reached; the name says which, such as _dns.',
  rfc: 'RFC 9460',
  fields: bindingFields,
  judge: judgeBinding,
})
