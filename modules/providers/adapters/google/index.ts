import type { RecordType } from '../../../../dns/types/index.ts'
import { ANY_TEXT, type Provider, type Refusal, type RRsetEdit } from '../../contract.ts'
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
  'DS',
  'TLSA',
  'SSHFP',
  'NAPTR',
  'SVCB',
  'HTTPS',
  'ALIAS',
] as const satisfies RecordType[]

const google: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000018',
  key: 'google',
  name: 'Google Cloud DNS',
  credentialSchema,
  rights:
    'A service account with a role of dns.managedZones.list and get, dns.resourceRecordSets.*, dns.changes.create and get, and for DNSSEC dns.managedZones.update and dns.dnsKeys.list; to create and delete zones also dns.managedZones.create and delete. The role DNS Administrator has them all.',
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'rrset',
    idsChange: false,
    batch: 'atomic',
    // 1,000 sets that go, and as many that come, with 100,000 characters of data.
    maxBatch: 250,
    maxBatchLength: 40_000,
    proxied: false,
    routing: false,
    comments: false,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'rrset',
    disabledRecords: false,
    minTtl: 0,
    maxTtl: 2_147_483_647,
    defaultTtl: 300,
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
    soa: 'write',
    dnssec: 'write',
    deleteZone: true,
    truth: 'provider',
  },
  audit: (_, edits) => edits.flatMap(auditEdit),
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

function auditEdit({ name, type, changes }: RRsetEdit, edit: number): Refusal[] {
  if (type !== 'ALIAS' || name === '@') return []
  return changes.flatMap(({ action }, change): Refusal[] => {
    const message = 'must be @: Google Cloud DNS takes an ALIAS at the apex alone'
    return action === 'remove' ? [] : [{ edit, change, field: 'name', code: 'alias_apex', message }]
  })
}

export default google
