import { defineType } from './define.ts'
import { judgeTlsa, tlsaFields } from './tlsa.ts'

export const SMIMEA = defineType({
  type: 'SMIMEA',
  title: 'Certificate of a mail address',
  help: 'By which certificate mail of an address is signed; the name is a digest of it below _smimecert.',
  rfc: 'RFC 8162',
  fields: tlsaFields,
  judge: judgeTlsa,
})
