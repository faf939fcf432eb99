import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, PlainText, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://api.namecheap.com/xml.response'

export const credentialSchema = Type.Object({
  apiUser: PlainText('API user', 'The name of the account'),
  apiKey: Secret('API key', 'Under Profile → Tools → API Access, once that is switched on'),
  userName: Type.Optional(
    Type.String({
      title: 'User name',
      description: 'Only where the domains are in another account than that of the API user',
      pattern: '^[!-~]*$',
      maxLength: 255,
    }),
  ),
  clientIp: Type.String({
    title: 'Client IP',
    description: 'The public IPv4 address of this service, which must be whitelisted there',
    format: 'ipv4',
    examples: ['192.0.2.1'],
  }),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
