import { auditValues } from '../../shared/audits.ts'
import type { Member, Provider, RRsetEdit } from '../../contract.ts'
import { splitService } from '../../shared/owner-names.ts'
import { credentialSchema, DEFAULT_TTL, MAX_BATCH, TYPES } from './account.ts'

const godaddy: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-00000000001b',
  key: 'godaddy',
  name: 'GoDaddy',
  credentialSchema,
  rights:
    'A production key of the account that has the domains. GoDaddy answers accounts with fewer than ten domains, or without a Discount Domain Club plan, that they have no access.',
  rates: [{ calls: 60, seconds: 60 }],
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'rrset',
    idsChange: false,
    batch: 'best-effort',
    maxBatch: MAX_BATCH,
    maxBatchValues: MAX_BATCH,
    proxied: false,
    routing: false,
    comments: false,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'rrset',
    disabledRecords: false,
    minTtl: 600,
    maxTtl: 604_800,
    defaultTtl: DEFAULT_TTL,
    ttlByPlan: false,
    txt: { maxLength: 1024, strings: false, beyondAscii: true, without: [] },
    wildcards: true,
    underscores: true,
    nullMx: false,
    apexCname: false,
    apexAlias: false,
    apexNs: false,
    createZone: false,
    zoneNameServers: false,
    soa: 'none',
    dnssec: 'none',
    deleteZone: false,
    truth: 'provider',
  },
  audit: (_, edits) => auditValues(edits, whyNotService),
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

/** Service and protocol have fields of their own, and there must be a server. */
function whyNotService({ value }: Member, { name, type }: RRsetEdit) {
  if (type !== 'SRV') return null
  if (splitService(name) === null)
    return {
      field: 'name',
      code: 'srv_name',
      message: 'must begin with service and protocol, such as _sip._tcp',
    } as const
  if (!value.endsWith(' .') && value.split(' ')[2] !== '0') return null
  return {
    field: 'value',
    code: 'srv_target',
    message: 'must name a server and its port at GoDaddy',
  } as const
}

export default godaddy
