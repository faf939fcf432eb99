import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, PlainText } from '../../client/fields.ts'

export const OWN_URL = 'https://api.domrobot.com/jsonrpc/'

export const credentialSchema = Type.Object({
  username: PlainText('User name', 'Of the account, or better of a sub-account that is for this alone'),
  password: Type.String({
    title: 'Password',
    description: 'That of the login at inwx.com',
    minLength: 1,
    maxLength: 255,
    writeOnly: true,
  }),
  totpSecret: Type.Optional(
    Type.String({
      title: 'Secret of the second factor',
      description: 'Only where 2-factor authentication is on: the key that INWX shows beside its QR code',
      pattern: '^[A-Za-z2-7 =]*$',
      maxLength: 255,
      writeOnly: true,
    }),
  ),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
