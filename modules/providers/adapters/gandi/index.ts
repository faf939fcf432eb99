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
  'PTR',
  'DNAME',
  'DS',
  'CDS',
  'TLSA',
  'SSHFP',
  'OPENPGPKEY',
  'NAPTR',
  'LOC',
  'RP',
  'ALIAS',
] as const satisfies RecordType[]

const gandi: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-00000000001a',
  key: 'gandi',
  name: 'Gandi LiveDNS',
  credentialSchema,
  rights:
    'A personal access token with "See and renew domain names" and "Manage domain name technical configurations" for the domains in question.',
  rates: [{ calls: 1000, seconds: 60 }],
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'rrset',
    idsChange: false,
    batch: 'none',
    maxBatch: 1,
    proxied: false,
    routing: false,
    comments: false,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'rrset',
    disabledRecords: false,
    minTtl: 300,
    maxTtl: 2_592_000,
    defaultTtl: 10_800,
    ttlByPlan: false,
    txt: ANY_TEXT,
    wildcards: true,
    underscores: true,
    nullMx: true,
    apexCname: false,
    apexAlias: true,
    apexNs: false,
    createZone: true,
    zoneNameServers: false,
    soa: 'none',
    dnssec: 'none',
    deleteZone: false,
    truth: 'provider',
  },
  audit: (_, edits) =>
    auditValues(edits, (_member, { name, type }) =>
      type === 'ALIAS' && name !== '@'
        ? { field: 'name', code: 'alias_apex', message: 'must be @ for an ALIAS at Gandi' }
        : null,
    ),
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

export default gandi
