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
  'SVCB',
  'HTTPS',
] as const satisfies RecordType[]

const dnspod: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000015',
  key: 'dnspod',
  name: 'Tencent DNSPod',
  credentialSchema,
  rights:
    'A key of a sub-account with the policy QcloudDNSPodFullAccess, or one of your own for the domains in question: dnspod:DescribeDomainList, DescribeDomain, DescribeRecordList, CreateRecord, CreateRecordBatch, DescribeBatchTask, ModifyRecord and DeleteRecord; to create and delete domains also CreateDomain and DeleteDomain.',
  rates: [
    { calls: 20, seconds: 1, of: 'write' },
    { calls: 20, seconds: 1, of: 'read' },
  ],
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'record-id',
    idsChange: false,
    batch: 'best-effort',
    maxBatch: 100,
    proxied: false,
    routing: true,
    comments: true,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'record',
    disabledRecords: true,
    // 600 with the free plan.
    minTtl: 1,
    maxTtl: 604_800,
    defaultTtl: 600,
    ttlByPlan: true,
    txt: ANY_TEXT,
    wildcards: true,
    underscores: true,
    nullMx: false,
    apexCname: true,
    apexAlias: false,
    // Its own two are kept from users.
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

export default dnspod
