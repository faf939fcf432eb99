import type { RecordType } from '../../../../dns/types/index.ts'
import { auditValues } from '../../shared/audits.ts'
import type { Provider } from '../../contract.ts'
import { splitCaa } from '../../shared/split-data.ts'
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
  'TLSA',
  'SVCB',
  'HTTPS',
] as const satisfies RecordType[]

const CAA_TAGS = ['issue', 'issuewild', 'iodef']

const bunny: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000023',
  key: 'bunny',
  name: 'bunny.net',
  credentialSchema,
  rights: 'The API key of the account: there are none with fewer rights.',
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
    comments: true,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'record',
    disabledRecords: true,
    minTtl: 15,
    maxTtl: 86_400,
    defaultTtl: 300,
    ttlByPlan: false,
    txt: { maxLength: 65_000, strings: false, beyondAscii: true, without: [] },
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
  audit: (_, edits) =>
    auditValues(edits, ({ value }, { type }) => {
      if (type !== 'CAA' || CAA_TAGS.includes(splitCaa(value).tag)) return null
      const message = `must have one of the tags ${CAA_TAGS.join(', ')}: bunny.net takes no others`
      return { field: 'value', code: 'caa_tag', message }
    }),
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

export default bunny
