import type { RecordType } from '../../../../dns/types/index.ts'
import { ANY_TEXT, type Provider, type Refusal, type RRsetEdit } from '../../contract.ts'
import { credentialSchema, serverUrl } from './account.ts'

/** Supported by 4.4 and later. */
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
  'CDNSKEY',
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
  'HINFO',
  'RP',
  'CERT',
  'CSYNC',
  'APL',
  'EUI48',
  'EUI64',
  'ZONEMD',
  'ALIAS',
] as const satisfies RecordType[]

/** Types that PowerDNS uses for records of its own: LUA is a program that the server runs. */
const OWN_TYPES: Record<string, string> = { TYPE65400: 'ADDR', TYPE65401: 'ALIAS', TYPE65402: 'LUA' }

function audit(_: string, edits: readonly RRsetEdit[]): Refusal[] {
  return edits.flatMap(({ type, changes }, edit) => {
    const own = OWN_TYPES[type]
    if (own === undefined) return []
    return changes.flatMap(({ action }, change): Refusal[] => {
      const message = `must not be ${type}: PowerDNS uses that for its own type ${own}`
      return action === 'remove' ? [] : [{ edit, change, field: 'type', code: 'type_taken', message }]
    })
  })
}

const powerdns: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000002',
  key: 'powerdns',
  name: 'PowerDNS',
  credentialSchema,
  rights: 'PowerDNS has a single key with all permissions. Its setting api must be on, and api-readonly off.',
  capabilities: {
    recordTypes: TYPES,
    otherTypes: true,
    identity: 'rrset',
    idsChange: false,
    batch: 'atomic',
    // PowerDNS accepts 2 MB (webserver-max-bodysize); 500 RRsets are smaller unless their values are huge.
    maxBatch: 500,
    proxied: false,
    routing: false,
    comments: false,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'rrset',
    disabledRecords: true,
    minTtl: 0,
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
    zoneNameServers: true,
    soa: 'write',
    dnssec: 'write',
    deleteZone: true,
    truth: 'provider',
  },
  serverOf: ({ apiUrl, serverId }) => serverUrl(apiUrl, serverId),
  audit,
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

export default powerdns
