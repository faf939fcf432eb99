import type { RecordType } from '../../../../dns/types/index.ts'
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
  'TLSA',
  'SSHFP',
  'NAPTR',
  'SVCB',
  'HTTPS',
  'LOC',
  'URI',
  'HINFO',
  'RP',
  'ALIAS',
] as const satisfies RecordType[]

const scaleway: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000022',
  key: 'scaleway',
  name: 'Scaleway',
  credentialSchema,
  rights:
    'An API key of an IAM application with a policy that has the permission set DomainsDNSFullAccess in the project of the zones.',
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'record-id',
    idsChange: true,
    batch: 'atomic',
    // How much one call takes is not documented.
    maxBatch: 500,
    maxBatchValues: 1000,
    proxied: false,
    routing: false,
    comments: true,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'record',
    disabledRecords: false,
    minTtl: 60,
    maxTtl: 2_147_483_647,
    defaultTtl: 3600,
    ttlByPlan: false,
    txt: ANY_TEXT,
    wildcards: true,
    underscores: true,
    nullMx: true,
    apexCname: false,
    apexAlias: true,
    apexNs: true,
    createZone: true,
    zoneNameServers: false,
    soa: 'none',
    dnssec: 'none',
    deleteZone: true,
    truth: 'provider',
  },
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

export default scaleway
