import { defineType } from './define.ts'
import { dsFields, judgeDigest, warnOfDigest } from './ds.ts'

export const CDS = defineType({
  type: 'CDS',
  title: 'DS requested from the parent',
  help: 'The DS that the parent zone should publish; "0 0 0 00" asks it to remove all DS records (RFC 8078).',
  rfc: 'RFC 7344 section 3.1',
  place: 'apex',
  fields: dsFields,
  judge: judgeDigest,
  warn: warnOfDigest,
})
