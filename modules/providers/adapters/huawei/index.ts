import type { RecordType } from '../../../../dns/types/index.ts'
import type { Provider } from '../../contract.ts'
import { credentialSchema } from './account.ts'

const TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SRV', 'CAA'] as const satisfies RecordType[]

const huawei: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000017',
  key: 'huawei',
  name: 'Huawei Cloud DNS',
  credentialSchema,
  rights:
    'A key of an IAM user with the policy DNS FullAccess, or one of your own with dns:zone:list, dns:zone:get, dns:nameserver:list, dns:recordset:list, get, create, update and delete; to create and delete zones also dns:zone:create and dns:zone:delete.',
  rates: [{ calls: 100, seconds: 60 }],
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'rrset',
    idsChange: false,
    batch: 'none',
    maxBatch: 1,
    proxied: false,
    routing: true,
    comments: false,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'rrset',
    disabledRecords: false,
    minTtl: 1,
    maxTtl: 2_147_483_647,
    defaultTtl: 300,
    ttlByPlan: false,
    // With quotes around each string.
    txt: { maxLength: 4_000, strings: true, beyondAscii: false, without: ['"', '\\'] },
    wildcards: true,
    underscores: true,
    nullMx: false,
    apexCname: false,
    apexAlias: false,
    apexNs: false,
    createZone: true,
    zoneNameServers: false,
    soa: 'none',
    dnssec: 'none',
    deleteZone: true,
    truth: 'provider',
  },
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

export default huawei
