import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, PlainText } from '../../client/fields.ts'

export const OWN_URL = 'https://dns.googleapis.com/dns/v1'

export const credentialSchema = Type.Object({
  serviceAccount: Type.String({
    title: 'Key of a service account',
    description:
      'The whole JSON file, made in the console under IAM & Admin → Service Accounts → an account → Keys → Add key',
    pattern: '"private_key"',
    maxLength: 16_384,
    writeOnly: true,
  }),
  project: Type.Optional(
    PlainText(
      'Project ID',
      'Of the project that has the zones, where it is another than that of the account',
    ),
  ),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
