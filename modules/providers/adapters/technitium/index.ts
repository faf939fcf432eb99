import type { RecordType } from '../../../../dns/types/index.ts'
import type { Provider } from '../../contract.ts'
import { credentialSchema } from './account.ts'
import { audit, PARAMETERS } from './words.ts'

const technitium: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000021',
  key: 'technitium',
  name: 'Technitium DNS Server',
  credentialSchema,
  rights:
    'A token of a user with the permission View of the section Zones, and View, Modify and Delete of the zones in question; to create and delete zones also Modify and Delete of the section.',
  capabilities: {
    recordTypes: Object.keys(PARAMETERS) as RecordType[],
    otherTypes: false,
    identity: 'rrset',
    idsChange: false,
    batch: 'none',
    // One by one, after their zone was read once.
    maxBatch: 50,
    proxied: false,
    routing: false,
    comments: true,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'record',
    disabledRecords: true,
    minTtl: 0,
    maxTtl: 2_147_483_647,
    defaultTtl: 3600,
    ttlByPlan: false,
    // How it brings other characters on the wire is documented nowhere.
    txt: { maxLength: 65_000, strings: false, beyondAscii: false, without: [] },
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
  audit,
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

export default technitium
