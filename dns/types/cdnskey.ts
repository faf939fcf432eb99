import { defineType } from './define.ts'
import { warnOfAlgorithm } from './dnssec.ts'
import { dnskeyFields, judgeProtocol } from './dnskey.ts'

export const CDNSKEY = defineType({
  type: 'CDNSKEY',
  title: 'Key for the DS in the parent',
  help: 'The key from which the parent zone should create its DS; "0 3 0 AA==" asks it to remove all DS records (RFC 8078).',
  rfc: 'RFC 7344 section 3.2',
  place: 'apex',
  fields: dnskeyFields,
  judge: judgeProtocol,
  warn: warnOfAlgorithm,
})
