import { PlainText, Secret } from '../../client/fields.ts'
import { BASIC_TYPES } from '../../capabilities.ts'
import { priorityOf } from '../../../../dns/types/index.ts'
import type { Member, RRsetEdit } from '../../contract.ts'
import { auditValues, srvWithServer } from '../../shared/audits.ts'
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
  audit: (_, edits) => auditValues(edits, whyNot),
  load: () => import('./adapter.ts'),
})

const MAX_PRIORITY = 50
const whyNotSrv = srvWithServer('Alibaba Cloud')

function whyNot(member: Member, edit: RRsetEdit) {
  const { value } = member
  const priority = edit.type === 'MX' ? priorityOf(edit.type, value) : null
  if (priority !== null && (priority < 1 || priority > MAX_PRIORITY)) {
    const message = `must have a priority of 1 to ${MAX_PRIORITY} at Alibaba Cloud`
    return { field: 'value', code: 'mx_priority', message } as const
  }
  if (edit.type !== 'TXT' || value.trim() === value) return whyNotSrv(member, edit)
  const message = 'must not begin or end with a space at Alibaba Cloud'
  return { field: 'value', code: 'txt_spaces', message } as const
}
