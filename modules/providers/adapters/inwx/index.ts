import { bytesOfText } from '../../../../dns/text/text.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { auditValues } from '../../shared/audits.ts'
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
  'PTR',
  'TLSA',
  'SSHFP',
  'NAPTR',
  'SVCB',
  'HTTPS',
  'URI',
  'LOC',
  'HINFO',
  'RP',
  'CERT',
  'SMIMEA',
  'OPENPGPKEY',
  'ALIAS',
] as const satisfies RecordType[]

const inwx: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000025',
  key: 'inwx',
  name: 'INWX',
  credentialSchema,
  rights:
    'A sub-account with the right to manage the name servers of the domains in question, or the account itself, which may do everything.',
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
    minTtl: 300,
    maxTtl: 864_000,
    defaultTtl: 86_400,
    ttlByPlan: false,
    // What other characters become is documented nowhere.
    txt: { maxLength: 65_000, strings: false, beyondAscii: false, without: ['`'] },
    wildcards: true,
    underscores: true,
    nullMx: false,
    apexCname: false,
    apexAlias: true,
    apexNs: true,
    createZone: true,
    zoneNameServers: false,
    soa: 'none',
    dnssec: 'none',
    deleteZone: true,
    truth: 'provider',
  },
  audit: (_, edits) => auditValues(edits, whyNot),
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

function whyNot({ value }: Member, { type }: RRsetEdit) {
  if (type === 'SRV' && value.endsWith(' .'))
    return { field: 'value', code: 'srv_target', message: 'must name a server at INWX' } as const
  return type === 'TXT' ? whyNotText(bytesOfText(value)) : null
}

function whyNotText(bytes: Buffer) {
  if (bytes.length === 255)
    return { field: 'value', code: 'txt_length', message: 'must not have exactly 255 bytes at INWX' } as const
  if (bytes.at(-1) !== 0x20) return null
  return { field: 'value', code: 'txt_space', message: 'must not end in a space at INWX' } as const
}

export default inwx
