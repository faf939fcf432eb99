import { Secret } from '../../client/fields.ts'
import { BASIC_TYPES } from '../../capabilities.ts'
import { auditValues } from '../../shared/audits.ts'
import type { Member, RRsetEdit } from '../../contract.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiToken: Secret(
    'API token',
    'Create it at njal.la under Settings → API. It can be limited to domains and methods',
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

const TTLS = [60, 300, 900, 3600, 10_800, 21_600, 86_400]

const MX_PRIORITIES = [0, 1, 5, 10, 20, 30, 40, 50, 60]

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000027',
  key: 'njalla',
  name: 'Njalla',
  apiUrl: 'https://njal.la/api/1/',
  credentials,
  rights:
    'A token for your domains, with the methods list-domains, list-records, add-record, edit-record and remove-record.',
  can: {
    recordTypes: BASIC_TYPES,
    identity: 'record-id',
    // Written one by one, after reading the zone once.
    maxBatch: 50,
    minTtl: 60,
    maxTtl: 86_400,
    ttls: TTLS,
    defaultTtl: 10_800,
  },
  audit: (_, edits) => auditValues(edits, whyNot),
  load: () => import('./adapter.ts'),
})

function whyNot({ value }: Member, { type }: RRsetEdit) {
  if (type === 'SRV' && value.endsWith(' .'))
    return { field: 'value', code: 'srv_target', message: 'must name a server at Njalla' } as const
  if (type !== 'MX' || MX_PRIORITIES.includes(Number.parseInt(value, 10))) return null
  const message = `must have a priority of ${MX_PRIORITIES.join(', ')} at Njalla`
  return { field: 'value', code: 'mx_priority', message } as const
}
