import type { RecordType } from '../../../../dns/types/index.ts'
import { bytesOfText } from '../../../../dns/text/text.ts'
import { auditValues, caaWithoutSpace } from '../../shared/audits.ts'
import type { Member, Provider, RRsetEdit } from '../../contract.ts'
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
  'TLSA',
  'SSHFP',
  'SVCB',
  'HTTPS',
  'ALIAS',
] as const satisfies RecordType[]

const porkbun: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-00000000001d',
  key: 'porkbun',
  name: 'Porkbun',
  credentialSchema,
  rights:
    'A key of the account that has the domains, and API access switched on for each domain in question. A key may do all that the account may.',
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
    disabledRecords: false,
    minTtl: 600,
    maxTtl: 2_147_483_647,
    defaultTtl: 600,
    ttlByPlan: false,
    txt: { maxLength: 65_000, strings: false, beyondAscii: true, without: [] },
    wildcards: true,
    underscores: true,
    nullMx: true,
    apexCname: false,
    apexAlias: true,
    apexNs: false,
    createZone: false,
    zoneNameServers: false,
    soa: 'none',
    dnssec: 'none',
    deleteZone: false,
    truth: 'provider',
  },
  audit: (_, edits) => auditValues(edits, (member, edit) => caa(member, edit) ?? whyNotText(member, edit)),
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

const caa = caaWithoutSpace('Porkbun')

function whyNotText({ value }: Member, { type }: RRsetEdit) {
  if (type !== 'TXT' || !/\s$/.test(bytesOfText(value).toString())) return null
  const message = 'must not end in a space, which Porkbun leaves out'
  return { field: 'value', code: 'txt_space', message } as const
}

export default porkbun
