import { PlainText, Secret } from '../../client/fields.ts'
import { BASIC_TYPES } from '../../capabilities.ts'
import { priorityOf, type RecordType } from '../../../../dns/types/index.ts'
import type { Refusal, RRsetEdit } from '../../contract.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  accessKeyId: PlainText(
    'AccessKey ID',
    'Create it for a RAM user in the RAM console under Users → Create AccessKey',
  ),
  accessKeySecret: Secret('AccessKey secret', 'It is shown only once, when you create the AccessKey'),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000016',
  key: 'alidns',
  name: 'Alibaba Cloud DNS',
  apiUrl: 'https://alidns.aliyuncs.com',
  credentials,
  rights:
    'An AccessKey of a RAM user with the policy AliyunDNSFullAccess, or a custom policy with alidns:DescribeDomains, DescribeDomainInfo, DescribeDomainRecords, AddDomainRecord, OperateBatchDomain, DescribeBatchResultCount, DescribeBatchResultDetail, UpdateDomainRecord, UpdateDomainRecordRemark, SetDomainRecordStatus and DeleteDomainRecord; to create and delete domains, also AddDomain and DeleteDomain.',
  can: {
    recordTypes: BASIC_TYPES,
    identity: 'record-id',
    batch: 'best-effort',
    // Everything is part of the URL, whose length is limited.
    maxBatch: 40,
    maxBatchValues: 40,
    maxBatchLength: 2_000,
    routing: true,
    comments: true,
    disabledRecords: true,
    // 600 in the free edition.
    minTtl: 1,
    maxTtl: 86_400,
    defaultTtl: 600,
    ttlByPlan: true,
    txt: { maxLength: 512, beyondAscii: true, without: ['"', '\\'] },
    createZone: true,
    deleteZone: true,
  },
  audit: (_, edits) => edits.flatMap(auditEdit),
  load: () => import('./adapter.ts'),
})

function auditEdit({ type, changes }: RRsetEdit, edit: number): Refusal[] {
  return changes.flatMap((one, change): Refusal[] => {
    if (one.action === 'remove') return []
    const refused = whyNot(type, one.action === 'replace' ? one.to.value : one.member.value)
    return refused === null ? [] : [{ edit, change, field: 'value', ...refused }]
  })
}

const MAX_PRIORITY = 50

function whyNot(type: RecordType, value: string): Pick<Refusal, 'code' | 'message'> | null {
  const priority = type === 'MX' ? priorityOf(type, value) : null
  if (priority !== null && (priority < 1 || priority > MAX_PRIORITY))
    return { code: 'mx_priority', message: `must have a priority of 1 to ${MAX_PRIORITY} at Alibaba Cloud` }
  if (type === 'SRV' && value.endsWith(' .'))
    return { code: 'srv_target', message: 'must name a server at Alibaba Cloud' }
  if (type === 'TXT' && value.trim() !== value)
    return { code: 'txt_spaces', message: 'must not begin or end with a space at Alibaba Cloud' }
  return null
}
