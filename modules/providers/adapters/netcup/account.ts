import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, PlainText, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://ccp.netcup.net/run/webservice/servers/endpoint.php'

export const credentialSchema = Type.Object({
  customerNumber: PlainText('Customer number', 'That of the login to the customer control panel'),
  apiKey: Secret('API key', 'Made in the customer control panel under Master Data → API'),
  apiPassword: Secret('API password', 'Made beside the key; it is not that of the login'),
  domains: Type.Optional(
    Type.String({
      title: 'Domains',
      description:
        'Those that are listed, with spaces between: netcup tells resellers alone which there are. Others are found by their name',
      pattern: '^[A-Za-z0-9.,\\s-]*$',
      maxLength: 4096,
    }),
  ),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
