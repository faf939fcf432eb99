import type { RecordType } from '../../../../dns/types/index.ts'
import { auditValues } from '../../shared/audits.ts'
import type { Member, Provider, RRsetEdit } from '../../contract.ts'
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
  'DS',
  'TLSA',
  'SMIMEA',
  'SSHFP',
  'OPENPGPKEY',
] as const satisfies RecordType[]

const netcup: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000024',
  key: 'netcup',
  name: 'netcup',
  credentialSchema,
  rights: 'An API key and password of the account that has the domains. They may do all that the API can.',
  rates: [{ calls: 180, seconds: 60 }],
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'record-id',
    idsChange: false,
    batch: 'best-effort',
    maxBatch: 100,
    proxied: false,
    routing: false,
    comments: false,
    ttlOf: 'zone',
    automaticTtl: false,
    writeUnit: 'record',
    disabledRecords: false,
    minTtl: 1,
    maxTtl: 2_147_483_647,
    defaultTtl: 86_400,
    ttlByPlan: false,
    // What these, and characters beyond ASCII, become is documented nowhere.
    txt: { maxLength: 65_000, strings: false, beyondAscii: false, without: ['"', '\\'] },
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
  if (type !== 'SRV' || !value.endsWith(' .')) return null
  return { field: 'value', code: 'srv_target', message: 'must name a server at netcup' } as const
}

export default netcup
