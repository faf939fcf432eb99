import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, PlainText, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://management.azure.com'
export const OWN_LOGIN_URL = 'https://login.microsoftonline.com'

export const credentialSchema = Type.Object({
  tenantId: PlainText('Tenant ID', 'Of the directory: Microsoft Entra ID → Overview'),
  clientId: PlainText(
    'Application (client) ID',
    'Of an application for this alone: Microsoft Entra ID → App registrations → New registration',
  ),
  clientSecret: Secret(
    'Client secret',
    'The value, not the ID, of Certificates & secrets → New client secret of that application; it ends some day',
  ),
  subscriptionId: PlainText('Subscription ID', 'Of the subscription that has the zones'),
  resourceGroup: PlainText('Resource group', 'Its name; zones of other groups need another configuration'),
  loginUrl: Type.Optional(
    Type.String({
      title: 'Login address',
      description: `Only where it is another than ${OWN_LOGIN_URL}, such as in Azure China`,
      format: 'uri',
      pattern: '^https?://[^/?#]',
      maxLength: 2048,
      examples: [OWN_LOGIN_URL],
    }),
  ),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
