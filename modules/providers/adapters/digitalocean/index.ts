import type { RecordType } from '../../../../dns/types/index.ts'
import type { Provider } from '../../contract.ts'
import { credentialSchema } from './account.ts'

const TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SRV', 'CAA'] as const satisfies RecordType[]

const digitalocean: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000012',
  key: 'digitalocean',
  name: 'DigitalOcean',
  credentialSchema,
  rights:
    'A token with the custom scopes domain:read and domain:update; to create and delete domains also domain:create and domain:delete.',
  rates: [
    { calls: 5000, seconds: 3600 },
    { calls: 250, seconds: 60 },
  ],
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'record-id',
    idsChange: false,
    batch: 'none',
    // One by one, after their zone was read once.
    maxBatch: 50,
    proxied: false,
    routing: false,
    comments: false,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'record',
    disabledRecords: false,
    minTtl: 30,
    maxTtl: 2_147_483_647,
    defaultTtl: 1800,
    ttlByPlan: false,
    txt: { maxLength: 512, strings: false, beyondAscii: true, without: ['\\'] },
    wildcards: true,
    underscores: true,
    nullMx: true,
    apexCname: false,
    apexAlias: false,
    apexNs: true,
    createZone: true,
    zoneNameServers: false,
    soa: 'none',
    dnssec: 'none',
    deleteZone: true,
    truth: 'provider',
  },
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

export default digitalocean
