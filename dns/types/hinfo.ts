import { defineType } from './define.ts'
import { text } from './fields/texts.ts'

export const HINFO = defineType({
  type: 'HINFO',
  title: 'Host information',
  help: 'The kind of host; rarely used except in answers to ANY (RFC 8482).',
  rfc: 'RFC 1035 section 3.3.2',
  fields: {
    cpu: text({ title: 'Processor', example: 'PC' }),
    os: text({ title: 'System', example: 'Linux' }),
  },
})
