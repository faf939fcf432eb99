import type { RecordType } from '../../../../dns/types/index.ts'
import { Secret } from '../../client/fields.ts'
import { auditValues } from '../../shared/audits.ts'
import type { Member, RRsetEdit } from '../../contract.ts'
import { splitService } from '../../shared/spelling/owner-names.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

/** Types that can be written; others may be listed in an undocumented form. */
export const TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SRV'] as const satisfies RecordType[]

/** TTL of records listed without one, seconds. */
export const DEFAULT_TTL = 3600

/** Most records that one call adds. */
export const MAX_BATCH = 100

const credentials = {
  apiKey: Secret(
    'API key',
    'Create it at developer.godaddy.com/keys for the environment Production. Keys of OTE need another API address',
  ),
  apiSecret: Secret('API secret', 'It is shown only once, together with the key'),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-00000000001b',
  key: 'godaddy',
  name: 'GoDaddy',
  apiUrl: 'https://api.godaddy.com',
  credentials,
  rights:
    'A production key of the account that has the domains. GoDaddy denies API access to accounts with fewer than ten domains and no Discount Domain Club plan.',
  rates: [{ calls: 60, seconds: 60 }],
  can: {
    recordTypes: TYPES,
    identity: 'rrset',
    batch: 'best-effort',
    maxBatch: MAX_BATCH,
    maxBatchValues: MAX_BATCH,
    minTtl: 600,
    maxTtl: 604_800,
    defaultTtl: DEFAULT_TTL,
    txt: { maxLength: 1024, beyondAscii: true },
  },
  audit: (_, edits) => auditValues(edits, whyNotService),
  load: () => import('./adapter.ts'),
})

/** Service and protocol have fields of their own, and there must be a server. */
function whyNotService({ value }: Member, { name, type }: RRsetEdit) {
  if (type !== 'SRV') return null
  if (splitService(name) === null)
    return {
      field: 'name',
      code: 'srv_name',
      message: 'must begin with service and protocol, such as _sip._tcp',
    } as const
  if (!value.endsWith(' .') && value.split(' ')[2] !== '0') return null
  return {
    field: 'value',
    code: 'srv_target',
    message: 'must name a server and its port at GoDaddy',
  } as const
}
