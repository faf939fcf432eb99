import type { RecordType } from '../../../../dns/types/index.ts'
import { auditValues } from '../../shared/audits.ts'
import type { Member, Provider, RRsetEdit } from '../../contract.ts'
import { credentialSchema } from './account.ts'

const TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SRV', 'CAA'] as const satisfies RecordType[]

const volcengine: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000028',
  key: 'volcengine',
  name: 'Volcengine DNS',
  credentialSchema,
  rights: 'A key of an IAM user with the policy DNSFullAccess.',
  rates: [
    { calls: 10, seconds: 1, of: 'write' },
    { calls: 20, seconds: 1, of: 'read' },
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
    routing: true,
    comments: true,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'record',
    disabledRecords: true,
    // 600 with the free edition.
    minTtl: 1,
    maxTtl: 86_400,
    defaultTtl: 600,
    ttlByPlan: true,
    // What these, and characters beyond ASCII, become is documented nowhere.
    txt: { maxLength: 65_000, strings: false, beyondAscii: false, without: ['"', '\\'] },
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
  audit: (_, edits) => auditValues(edits, whyNot),
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

function whyNot({ value }: Member, { type }: RRsetEdit) {
  if (type !== 'SRV' || !value.endsWith(' .')) return null
  return { field: 'value', code: 'srv_target', message: 'must name a server at Volcengine' } as const
}

export default volcengine
