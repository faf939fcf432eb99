import { defineType } from './define.ts'
import { base64 } from './fields/binary.ts'

export const OPENPGPKEY = defineType({
  type: 'OPENPGPKEY',
  title: 'OpenPGP key of a mail address',
  help: 'A public key in binary form; the name is a digest of the address below _openpgpkey.',
  rfc: 'RFC 7929',
  fields: {
    publicKey: base64({ title: 'Public key', help: 'In base64, without armor', example: 'mQENBFVHm5sBCADd' }),
  },
})
