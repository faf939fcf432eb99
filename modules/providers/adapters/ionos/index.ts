import type { RecordType } from '../../../../dns/types/index.ts'
import { auditValues } from '../../shared/audits.ts'
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
  'DS',
  'TLSA',
  'SSHFP',
] as const satisfies RecordType[]

const ionos: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000026',
  key: 'ionos',
  name: 'IONOS',
  credentialSchema,
  rights: 'An API key of the account that has the domains: there are none with fewer rights.',
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'record-id',
    idsChange: false,
    batch: 'best-effort',
    // How much one call takes is not documented.
    maxBatch: 100,
    maxBatchValues: 200,
    proxied: false,
    routing: false,
    comments: false,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'record',
    disabledRecords: true,
    minTtl: 60,
    maxTtl: 2_147_483_647,
    defaultTtl: 3600,
    ttlByPlan: false,
    txt: ANY_TEXT,
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
  audit: (_, edits) =>
    auditValues(edits, ({ value }, { type }) =>
      type === 'SRV' && value.endsWith(' .')
        ? { field: 'value', code: 'srv_target', message: 'must name a server: IONOS takes no "."' }
        : null,
    ),
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

export default ionos
