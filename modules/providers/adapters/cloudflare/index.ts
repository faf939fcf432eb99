import type { RecordType } from '../../../../dns/types/index.ts'
import { auditValues } from '../../shared/audits.ts'
import { ANY_TEXT, type Member, type Provider, type RRsetEdit } from '../../contract.ts'
import { credentialSchema, MAX_BATCH } from './account.ts'

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
  'DNSKEY',
  'TLSA',
  'SMIMEA',
  'SSHFP',
  'OPENPGPKEY',
  'NAPTR',
  'SVCB',
  'HTTPS',
  'LOC',
  'URI',
  'CERT',
] as const satisfies RecordType[]

const cloudflare: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000010',
  key: 'cloudflare',
  name: 'Cloudflare',
  credentialSchema,
  rights:
    'A token with Zone → Zone → Read and Zone → DNS → Edit for the zones in question; to create and delete zones also Zone → Zone → Edit for the account.',
  rates: [{ calls: 1200, seconds: 300 }],
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'record-id',
    idsChange: false,
    batch: 'atomic',
    maxBatch: MAX_BATCH,
    maxBatchValues: MAX_BATCH,
    proxied: true,
    routing: false,
    comments: true,
    ttlOf: 'rrset',
    automaticTtl: true,
    writeUnit: 'record',
    disabledRecords: false,
    // 30 with the plan Enterprise.
    minTtl: 60,
    maxTtl: 86_400,
    defaultTtl: 300,
    ttlByPlan: true,
    txt: ANY_TEXT,
    wildcards: true,
    underscores: true,
    nullMx: true,
    apexCname: true,
    apexAlias: false,
    apexNs: false,
    createZone: true,
    zoneNameServers: false,
    soa: 'none',
    dnssec: 'none',
    deleteZone: true,
    truth: 'provider',
  },
  audit: (_, edits) => auditValues(edits, whyNotProxied),
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

const PROXIED: readonly RecordType[] = ['A', 'AAAA', 'CNAME']

function whyNotProxied({ proxied }: Member, { type }: RRsetEdit) {
  if (proxied !== true || PROXIED.includes(type)) return null
  const message = `must be one of ${PROXIED.join(', ')}, which alone Cloudflare has traffic of`
  return { field: 'type', code: 'proxy_type', message } as const
}

export default cloudflare
