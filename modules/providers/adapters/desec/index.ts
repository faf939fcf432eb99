import type { RecordType } from '../../../../dns/types/index.ts'
import { ANY_TEXT, type Provider } from '../../contract.ts'
import { credentialSchema } from './account.ts'

// Keys of the zone (DNSKEY, CDS, CDNSKEY) and the SOA are made by deSEC itself.
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
  'SMIMEA',
  'SSHFP',
  'OPENPGPKEY',
  'NAPTR',
  'SVCB',
  'HTTPS',
  'LOC',
  'URI',
  'HINFO',
  'RP',
  'CERT',
  'APL',
  'EUI48',
  'EUI64',
] as const satisfies RecordType[]

const desec: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000011',
  key: 'desec',
  name: 'deSEC',
  credentialSchema,
  rights:
    'A token that may write RRsets; with policies, for the domains in question. To create and delete domains it needs perm_create_domain and perm_delete_domain. Where it is limited to networks, that of this service.',
  rates: [
    { calls: 10, seconds: 1, of: 'read' },
    { calls: 50, seconds: 60, of: 'read' },
    // Of one domain; others have their own, and 15 a minute.
    { calls: 2, seconds: 1, of: 'write' },
  ],
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'rrset',
    idsChange: false,
    batch: 'atomic',
    maxBatch: 500,
    proxied: false,
    routing: false,
    comments: false,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'rrset',
    disabledRecords: false,
    // Of nearly all domains; some may have less, and say so.
    minTtl: 3600,
    maxTtl: 86_400,
    defaultTtl: 3600,
    ttlByPlan: false,
    txt: ANY_TEXT,
    wildcards: true,
    underscores: true,
    nullMx: true,
    apexCname: false,
    apexAlias: false,
    apexNs: true,
    createZone: true,
    zoneNameServers: false,
    soa: 'none',
    dnssec: 'read',
    deleteZone: true,
    truth: 'provider',
  },
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

export default desec
