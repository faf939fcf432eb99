import { defineType } from './define.ts'
import { base64 } from './fields/binary.ts'

export const OPENPGPKEY = defineType({
  type: 'OPENPGPKEY',
  title: 'OpenPGP key of an email address',
  help: 'A public key in binary form; the name is a digest of the email address below _openpgpkey.',
  rfc: 'RFC 7929',
  fields: {
    publicKey: base64({ title: 'Public key', help: 'Base64, without armor', example: 'mQENBFVHm5sBCADd' }),
  },
})
