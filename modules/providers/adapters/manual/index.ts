import { RECORD_TYPES } from '../../../../dns/types/index.ts'
import { ANY_TEXT, type DnsAdapter } from '../../contract.ts'
import { defineProvider } from '../../shared/define-provider.ts'

/** Has no DNS provider: the records are only in our database, so everything succeeds at once. */
const manual: DnsAdapter = {
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

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000001',
  key: 'manual',
  name: 'Manual',
  credentials: {},
  rights: '',
  can: {
    recordTypes: RECORD_TYPES,
    otherTypes: true,
    identity: 'rrset',
    batch: 'atomic',
    maxBatch: 1000,
    disabledRecords: true,
    minTtl: 0,
    defaultTtl: 3600,
    txt: ANY_TEXT,
    nullMx: true,
    apexAlias: true,
    apexNs: true,
    createZone: true,
    deleteZone: true,
    truth: 'local',
  },
  load: async () => ({ open: () => manual }),
})
