import type { RecordType } from '../../../../dns/types/index.ts'
import { ANY_TEXT, type Provider } from '../../contract.ts'
import { credentialSchema } from './account.ts'

const TYPES = [
  'A',
  'AAAA',
  'CNAME',
  'NS',
  'MX',
  'TXT',
  'SRV',
  'CAA',
  'PTR',
  'DS',
  'TLSA',
  'NAPTR',
] as const satisfies RecordType[]

const azure: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000019',
  key: 'azure',
  name: 'Azure DNS',
  credentialSchema,
  rights:
    'An application (service principal) with the role DNS Zone Contributor for the resource group, or for the zones in question and Reader for the group.',
  // Of a subscription 200 writes at once and 10 a second, and 250 reads and 25.
  rates: [
    { calls: 800, seconds: 60, of: 'write' },
    { calls: 1_000, seconds: 30, of: 'read' },
  ],
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'rrset',
    idsChange: false,
    batch: 'none',
    maxBatch: 1,
    proxied: false,
    routing: false,
    comments: false,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'rrset',
    disabledRecords: false,
    minTtl: 1,
    maxTtl: 2_147_483_647,
    defaultTtl: 3600,
    ttlByPlan: false,
    txt: { ...ANY_TEXT, maxLength: 4_096, beyondAscii: false },
    wildcards: true,
    underscores: true,
    nullMx: false,
    apexCname: false,
    apexAlias: false,
    apexNs: true,
    createZone: true,
    zoneNameServers: false,
    soa: 'write',
    dnssec: 'write',
    deleteZone: true,
    truth: 'provider',
  },
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

export default azure
