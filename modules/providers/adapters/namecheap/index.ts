import { Type } from '@sinclair/typebox'
import { typesIn } from '../../capabilities.ts'
import { PlainText, Secret } from '../../client/fields.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiUser: PlainText('API user', 'The name of the account'),
  apiKey: Secret('API key', 'Find it under Profile → Tools → API Access, after API access was turned on'),
  userName: Type.Optional(
    Type.String({
      title: 'User name',
      description: 'Only if the domains belong to a different account than that of the API user',
      pattern: '^[!-~]*$',
      maxLength: 255,
    }),
  ),
  clientIp: Type.String({
    title: 'Client IP',
    description: 'The public IPv4 address of this service. It must be whitelisted at Namecheap',
    format: 'ipv4',
    examples: ['192.0.2.1'],
  }),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-00000000001c',
  key: 'namecheap',
  name: 'Namecheap',
  apiUrl: 'https://api.namecheap.com/xml.response',
  credentials,
  rights:
    'An account with API access. Namecheap grants it to accounts with 20 domains, a balance of 50 USD, or 50 USD spent within two years. The key may do everything the account may. The address of this service must be whitelisted.',
  rates: [
    { calls: 20, seconds: 60 },
    { calls: 700, seconds: 3_600 },
    { calls: 8_000, seconds: 86_400 },
  ],
  can: {
    recordTypes: typesIn('A AAAA CNAME NS MX TXT CAA ALIAS'),
    identity: 'rrset',
    batch: 'atomic',
    maxBatch: 100,
    writeUnit: 'zone',
    minTtl: 60,
    maxTtl: 60_000,
    defaultTtl: 1_800,
    txt: { maxLength: 2_500, beyondAscii: true, without: ['"'] },
    apexAlias: true,
  },
  load: () => import('./adapter.ts'),
})
