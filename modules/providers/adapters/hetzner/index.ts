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
  'SVCB',
  'HTTPS',
  'HINFO',
  'RP',
] as const satisfies RecordType[]

const hetzner: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000014',
  key: 'hetzner',
  name: 'Hetzner',
  credentialSchema,
  rights: 'A token with the permission Read & Write of the project that has the zones.',
  rates: [{ calls: 3600, seconds: 3600 }],
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'rrset',
    idsChange: false,
    batch: 'none',
    maxBatch: 1,
    proxied: false,
    routing: false,
    comments: true,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'rrset',
    disabledRecords: false,
    minTtl: 60,
    maxTtl: 2_147_483_647,
    // Of the zone, which may have another.
    defaultTtl: 86_400,
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
    dnssec: 'none',
    deleteZone: true,
    truth: 'provider',
  },
  audit: (_, edits) => edits.flatMap(auditEdit),
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

const OWN_SERVER = /\.ns\.hetzner\.(com|de)$/

/** Hetzner's own name servers stay at the apex; others may stand beside them. */
function auditEdit({ name, type, changes }: RRsetEdit, edit: number): Refusal[] {
  if (name !== '@' || type !== 'NS') return []
  return changes.flatMap((one, change): Refusal[] => {
    const taken = one.action === 'add' ? null : one.action === 'remove' ? one.member.value : one.from.value
    const isKept = one.action === 'replace' && one.to.value === taken
    if (taken === null || isKept || !OWN_SERVER.test(taken)) return []
    const message = `must keep ${taken}, which Hetzner serves the zone by`
    return [{ edit, change, field: 'value', code: 'own_name_server', message }]
  })
}

export default hetzner
