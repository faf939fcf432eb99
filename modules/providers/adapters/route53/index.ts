import { typeOf, type RecordType } from '../../../../dns/types/index.ts'
import { ANY_TEXT, type Provider, type Refusal, type RRsetEdit } from '../../contract.ts'
import { credentialSchema, MAX_VALUE } from './account.ts'

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
] as const satisfies RecordType[]

const route53: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000013',
  key: 'route53',
  name: 'AWS Route 53',
  credentialSchema,
  rights:
    'A user or role for this service only, with the policy actions route53:ListHostedZones, ListHostedZonesByName, GetChange (for all resources), GetHostedZone, GetDNSSEC, ListResourceRecordSets and ChangeResourceRecordSets (for the hosted zones); to create and delete zones, also CreateHostedZone and DeleteHostedZone.',
  // 50 at once, then 10 per second.
  rates: [{ calls: 200, seconds: 15 }],
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'rrset',
    idsChange: false,
    batch: 'atomic',
    // A call has at most 1,000 records and 32,000 characters of values, including the previous state of each
    // set. This many sets of usual size fit.
    maxBatch: 250,
    maxBatchValues: 400,
    maxBatchLength: 12_000,
    proxied: false,
    routing: true,
    comments: false,
    ttlOf: 'rrset',
    automaticTtl: false,
    // Sets are replaced one by one, but Route 53 refuses a change of a zone while it processes another.
    writeUnit: 'zone',
    disabledRecords: false,
    minTtl: 0,
    maxTtl: 2_147_483_647,
    defaultTtl: 300,
    ttlByPlan: false,
    txt: { ...ANY_TEXT, maxLength: MAX_VALUE },
    wildcards: true,
    underscores: true,
    nullMx: true,
    apexCname: false,
    apexAlias: false,
    apexNs: true,
    createZone: true,
    zoneNameServers: false,
    soa: 'write',
    dnssec: 'read',
    deleteZone: true,
    truth: 'provider',
  },
  audit: (_, edits) => edits.flatMap(auditEdit),
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

function auditEdit({ type, changes }: RRsetEdit, edit: number): Refusal[] {
  return changes.flatMap((one, change): Refusal[] => {
    if (one.action === 'remove') return []
    const { value } = one.action === 'replace' ? one.to : one.member
    const { length } = typeOf(type).write(value)
    if (length <= MAX_VALUE) return []
    const message = `must not be longer than ${MAX_VALUE.toLocaleString('en')} characters for AWS Route 53; with its quotes and escapes it has ${length.toLocaleString('en')}`
    return [{ edit, change, field: 'value', code: 'value_too_long', message }]
  })
}

export default route53
