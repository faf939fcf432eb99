import type { RecordType } from '../../../../dns/types/index.ts'
import type { Provider } from '../../contract.ts'
import { credentialSchema } from './account.ts'

const TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'CAA', 'ALIAS'] as const satisfies RecordType[]

const namecheap: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-00000000001c',
  key: 'namecheap',
  name: 'Namecheap',
  credentialSchema,
  rights:
    'An account with API access, which Namecheap gives from 20 domains, 50 USD on it, or 50 USD spent in two years; the key may do all that the account may. The address of this service must be whitelisted.',
  rates: [
    { calls: 20, seconds: 60 },
    { calls: 700, seconds: 3_600 },
    { calls: 8_000, seconds: 86_400 },
  ],
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'rrset',
    idsChange: false,
    batch: 'atomic',
    maxBatch: 100,
    proxied: false,
    routing: false,
    comments: false,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'zone',
    disabledRecords: false,
    minTtl: 60,
    maxTtl: 60_000,
    defaultTtl: 1_800,
    ttlByPlan: false,
    txt: { maxLength: 2_500, strings: false, beyondAscii: true, without: ['"'] },
    wildcards: true,
    underscores: true,
    nullMx: false,
    apexCname: false,
    apexAlias: true,
    apexNs: false,
    createZone: false,
    zoneNameServers: false,
    soa: 'none',
    dnssec: 'none',
    deleteZone: false,
    truth: 'provider',
  },
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

export default namecheap
