import type { RecordType } from '../../../../dns/types/index.ts'
import { ANY_TEXT, type Provider } from '../../contract.ts'
import { credentialSchema } from './account.ts'

// The TXT of SPF, DKIM and DMARC, which are types of their own there, among them.
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
  'TLSA',
  'SSHFP',
  'NAPTR',
  'SVCB',
  'HTTPS',
  'LOC',
  'RP',
] as const satisfies RecordType[]

const ovh: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000020',
  key: 'ovh',
  name: 'OVHcloud',
  credentialSchema,
  rights:
    'Keys with GET on /domain/zone, and with GET, POST, PUT and DELETE on /domain/zone/*, or on /domain/zone/<name>/* for the zones in question.',
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
    automaticTtl: true,
    writeUnit: 'record',
    disabledRecords: false,
    minTtl: 60,
    maxTtl: 2_147_483_647,
    defaultTtl: 3_600,
    ttlByPlan: false,
    txt: ANY_TEXT,
    wildcards: true,
    underscores: true,
    nullMx: true,
    apexCname: false,
    apexAlias: false,
    apexNs: true,
    createZone: false,
    zoneNameServers: false,
    soa: 'none',
    dnssec: 'none',
    deleteZone: false,
    truth: 'provider',
  },
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

export default ovh
