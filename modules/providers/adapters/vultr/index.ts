import type { RecordType } from '../../../../dns/types/index.ts'
import { auditValues, caaWithoutSpace } from '../../shared/audits.ts'
import type { Provider } from '../../contract.ts'
import { credentialSchema } from './account.ts'

const TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SRV', 'CAA', 'SSHFP'] as const satisfies RecordType[]

const vultr: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-00000000001e',
  key: 'vultr',
  name: 'Vultr',
  credentialSchema,
  rights: 'The API key of a user with the permission Manage DNS, and nothing else.',
  rates: [{ calls: 30, seconds: 1 }],
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
    automaticTtl: false,
    writeUnit: 'record',
    disabledRecords: false,
    minTtl: 120,
    maxTtl: 2_147_483_647,
    defaultTtl: 300,
    ttlByPlan: false,
    txt: { maxLength: 65_000, strings: false, beyondAscii: true, without: ['"', '\\'] },
    wildcards: true,
    underscores: true,
    nullMx: false,
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
  audit: (_, edits) => auditValues(edits, caaWithoutSpace('Vultr')),
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

export default vultr
