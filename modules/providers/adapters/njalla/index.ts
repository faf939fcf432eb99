import type { RecordType } from '../../../../dns/types/index.ts'
import { auditValues } from '../../shared/audits.ts'
import type { Member, Provider, RRsetEdit } from '../../contract.ts'
import { credentialSchema } from './account.ts'

const TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SRV', 'CAA'] as const satisfies RecordType[]

const TTLS = [60, 300, 900, 3600, 10_800, 21_600, 86_400]

const MX_PRIORITIES = [0, 1, 5, 10, 20, 30, 40, 50, 60]

const njalla: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000027',
  key: 'njalla',
  name: 'Njalla',
  credentialSchema,
  rights:
    'A token for the domains in question, with the methods list-domains, list-records, add-record, edit-record and remove-record.',
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
    minTtl: 60,
    maxTtl: 86_400,
    ttls: TTLS,
    defaultTtl: 10_800,
    ttlByPlan: false,
    // What other characters become is documented nowhere.
    txt: { maxLength: 65_000, strings: false, beyondAscii: false, without: [] },
    wildcards: true,
    underscores: true,
    nullMx: false,
    apexCname: false,
    apexAlias: false,
    apexNs: false,
    createZone: false,
    zoneNameServers: false,
    soa: 'none',
    dnssec: 'none',
    deleteZone: false,
    truth: 'provider',
  },
  audit: (_, edits) => auditValues(edits, whyNot),
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

function whyNot({ value }: Member, { type }: RRsetEdit) {
  if (type === 'SRV' && value.endsWith(' .'))
    return { field: 'value', code: 'srv_target', message: 'must name a server at Njalla' } as const
  if (type !== 'MX' || MX_PRIORITIES.includes(Number.parseInt(value, 10))) return null
  const message = `must have a priority of ${MX_PRIORITIES.join(', ')} at Njalla`
  return { field: 'value', code: 'mx_priority', message } as const
}

export default njalla
