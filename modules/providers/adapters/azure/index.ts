import { Type } from '@sinclair/typebox'
import { PlainText, Secret } from '../../client/fields.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { ANY_TEXT } from '../../contract.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

export const OWN_URL = 'https://management.azure.com'
export const OWN_LOGIN_URL = 'https://login.microsoftonline.com'

const credentials = {
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
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000019',
  key: 'azure',
  name: 'Azure DNS',
  apiUrl: OWN_URL,
  credentials,
  rights:
    'An application (service principal) with the role DNS Zone Contributor for the resource group, or for the zones in question and Reader for the group.',
  // Of a subscription 200 writes at once and 10 a second, and 250 reads and 25.
  rates: [
    { calls: 800, seconds: 60, of: 'write' },
    { calls: 1_000, seconds: 30, of: 'read' },
  ],
  can: {
    recordTypes: [...BASIC_TYPES, ...typesIn('PTR DS TLSA NAPTR')],
    identity: 'rrset',
    minTtl: 1,
    defaultTtl: 3600,
    txt: { ...ANY_TEXT, maxLength: 4_096, beyondAscii: false },
    apexNs: true,
    createZone: true,
    soa: 'write',
    dnssec: 'write',
    deleteZone: true,
  },
  load: () => import('./adapter.ts'),
})
