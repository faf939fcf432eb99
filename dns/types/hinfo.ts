import { defineType } from './define.ts'
import { text } from './fields/texts.ts'

export const HINFO = defineType({
  type: 'HINFO',
  title: 'Host information',
  help: 'What a host is; hardly used, but as an answer to ANY (RFC 8482).',
  rfc: 'RFC 1035 section 3.3.2',
  fields: {
    cpu: text({ title: 'Processor', example: 'PC' }),
    os: text({ title: 'System', example: 'Linux' }),
  },
})
