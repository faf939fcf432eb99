import { Type } from '@sinclair/typebox'
import { HttpUrl, PlainText, Secret } from '../../client/fields.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { ANY_TEXT } from '../../contract.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

export const OWN_URL = 'https://management.azure.com'
export const OWN_LOGIN_URL = 'https://login.microsoftonline.com'

const credentials = {
  tenantId: PlainText('Tenant ID', 'Find it under Microsoft Entra ID → Overview'),
  clientId: PlainText(
    'Application (client) ID',
    'Register an application for this service under Microsoft Entra ID → App registrations → New registration',
  ),
  clientSecret: Secret(
    'Client secret',
    'Create it for the application under Certificates & secrets → New client secret, and enter its value, not its ID. It expires',
  ),
  subscriptionId: PlainText('Subscription ID', 'The subscription that contains the zones'),
  resourceGroup: PlainText(
    'Resource group',
    'Name of the group. Zones of other groups need another provider connection',
  ),
  loginUrl: Type.Optional(
    HttpUrl(
      'Login address',
      `Only if it differs from ${OWN_LOGIN_URL}, such as in Azure China`,
      OWN_LOGIN_URL,
    ),
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
    'An application (service principal) with the role DNS Zone Contributor for the resource group, or for your zones together with Reader for the group.',
  // A subscription allows bursts of 200 writes and 250 reads, then 10 and 25 per second.
  rates: [
    { calls: 800, seconds: 60, of: 'write' },
    { calls: 1_000, seconds: 30, of: 'read' },
  ],
  parallelWrites: 4,
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
