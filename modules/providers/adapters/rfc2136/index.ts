import type { RecordType } from '../../../../dns/types/index.ts'
import { ANY_TEXT, type Provider } from '../../contract.ts'
import { credentialSchema } from './account.ts'

/** Types of BIND 9.18, Knot 3.2 and later, except those for signing: DNSKEY, CDS, CDNSKEY. */
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
  'CSYNC',
  'APL',
  'EUI48',
  'EUI64',
  'ZONEMD',
] as const satisfies RecordType[]

/**
 * BIND's default `sig-signing-type`: BIND stores the progress of signing there, and drops what others write.
 */
const SIGNING_STATE = 'TYPE65534'
const STATE_REFUSED = {
  field: 'type',
  code: 'type_of_signing',
  message: `must not be ${SIGNING_STATE}, in which BIND stores the progress of signing`,
} as const

const rfc2136: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000003',
  key: 'rfc2136',
  name: 'DNS updates (BIND, Knot)',
  credentialSchema,
  rights:
    'One key for both: transfers (AXFR) and updates of the zones. In BIND set allow-transfer and allow-update or update-policy, in Knot an acl with transfer and update.',
  capabilities: {
    recordTypes: TYPES,
    otherTypes: true,
    identity: 'rrset',
    idsChange: false,
    batch: 'atomic',
    // A message has 65,535 bytes, and contains each RRset before and after the change.
    maxBatch: 50,
    maxBatchLength: 16_000,
    proxied: false,
    routing: false,
    comments: false,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'rrset',
    disabledRecords: false,
    minTtl: 0,
    maxTtl: 2_147_483_647,
    defaultTtl: 3600,
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
    soa: 'write',
    dnssec: 'none',
    deleteZone: false,
    truth: 'provider',
  },
  serverOf: ({ server, port }) => `${server.toLowerCase()}:${port}`,
  audit: (_zoneName, edits) =>
    edits.flatMap(({ type, changes }, edit) =>
      type === SIGNING_STATE ? changes.map((_, change) => ({ edit, change, ...STATE_REFUSED })) : [],
    ),
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

export default rfc2136
