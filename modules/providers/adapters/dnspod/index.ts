import { PlainText, Secret } from '../../client/fields.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { ANY_TEXT } from '../../contract.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  secretId: PlainText('SecretId', 'Create it in the console under Cloud Access Management → API Keys'),
  secretKey: Secret(
    'SecretKey',
    'It is shown only once, when you create the key. A DNSPod Token does not work',
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000015',
  key: 'dnspod',
  name: 'Tencent DNSPod',
  apiUrl: 'https://dnspod.tencentcloudapi.com',
  credentials,
  rights:
    'A key of a sub-account with the policy QcloudDNSPodFullAccess, or a custom policy for your domains with dnspod:DescribeDomainList, DescribeDomain, DescribeRecordList, CreateRecord, CreateRecordBatch, DescribeBatchTask, ModifyRecord and DeleteRecord; to create and delete domains, also CreateDomain and DeleteDomain.',
  rates: [
    { calls: 20, seconds: 1, of: 'write' },
    { calls: 20, seconds: 1, of: 'read' },
  ],
  can: {
    recordTypes: [...BASIC_TYPES, ...typesIn('SVCB HTTPS')],
    identity: 'record-id',
    batch: 'best-effort',
    maxBatch: 100,
    routing: true,
    comments: true,
    disabledRecords: true,
    // 600 on the free plan.
    minTtl: 1,
    maxTtl: 604_800,
    defaultTtl: 600,
    ttlByPlan: true,
    txt: ANY_TEXT,
    apexCname: true,
    createZone: true,
    deleteZone: true,
  },
  load: () => import('./adapter.ts'),
})
