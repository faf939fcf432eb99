import { defineType } from './define.ts'
import { bindingFields, judgeBinding } from './fields/service-binding.ts'

export const SVCB = defineType({
  type: 'SVCB',
  title: 'Service binding',
  help: 'How to reach a service; the name identifies the service, such as _dns.',
  rfc: 'RFC 9460',
  fields: bindingFields,
  judge: judgeBinding,
})
