import { defineType } from './define.ts'
import { dsFields, judgeDigest, warnOfDigest } from './ds.ts'

export const CDS = defineType({
  type: 'CDS',
  title: 'DS wanted in the parent',
  help: 'What the zone above shall take as DS; "0 0 0 00" asks it to take all DS away (RFC 8078).',
  rfc: 'RFC 7344 section 3.1',
  place: 'apex',
  fields: dsFields,
  judge: judgeDigest,
  warn: warnOfDigest,
})
