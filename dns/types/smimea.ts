import { defineType } from './define.ts'
import { judgeTlsa, tlsaFields } from './tlsa.ts'

export const SMIMEA = defineType({
  type: 'SMIMEA',
  title: 'Certificate of an email address',
  help: 'The certificate with which mail from an address is signed; the name is a digest of the address below _smimecert.',
  rfc: 'RFC 8162',
  fields: tlsaFields,
  judge: judgeTlsa,
})
