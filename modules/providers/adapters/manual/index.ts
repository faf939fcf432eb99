import { Type } from '@sinclair/typebox'
import { RECORD_TYPES } from '../../../../dns/types/index.ts'
import { ANY_TEXT, type DnsAdapter, type Provider } from '../../contract.ts'

/** No host behind it: the records are only in our database, so everything succeeds at once. */
const adapter: DnsAdapter = {
  verify: async () => undefined,
  // oxlint-disable-next-line require-yield -- nothing is held elsewhere
  listZones: async function* () {
    return
  },
  findZones: async (name) => [{ id: name, name }],
  createZone: async ({ name }) => ({ id: name, name }),
  deleteZone: async () => undefined,
  // oxlint-disable-next-line require-yield -- nothing is held elsewhere
  listRRsets: async function* () {
    return
  },
  readRRset: async () => null,
  apply: async (_, edits) => edits.map((edit) => edit.changes.map(() => ({ ok: true, providerId: null }))),
}

const manual: Provider = {
  id: '0192f0a0-0000-7000-8000-000000000001',
  key: 'manual',
  name: 'Manual',
  credentialSchema: Type.Object({}),
  rights: '',
  capabilities: {
    recordTypes: RECORD_TYPES,
    otherTypes: true,
    identity: 'rrset',
    idsChange: false,
    batch: 'atomic',
    maxBatch: 1000,
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
    zoneNameServers: false,
    soa: 'none',
    dnssec: 'none',
    deleteZone: true,
    truth: 'local',
  },
  open: async () => adapter,
}

export default manual
