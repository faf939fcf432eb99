import { txtFromText } from '../../../../dns/types/txt.ts'
import { bytesOfText } from '../../../../dns/text.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import type { Provider, Refusal, RRsetEdit } from '../../contract.ts'
import { credentialSchema } from './account.ts'

const TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SRV', 'CAA'] as const satisfies RecordType[]

const digitalocean: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-000000000012',
  key: 'digitalocean',
  name: 'DigitalOcean',
  credentialSchema,
  rights:
    'A token with the custom scopes domain:read and domain:update; to create and delete domains also domain:create and domain:delete.',
  rates: [
    { calls: 5000, seconds: 3600 },
    { calls: 250, seconds: 60 },
  ],
  capabilities: {
    recordTypes: TYPES,
    otherTypes: false,
    identity: 'record-id',
    batch: 'none',
    maxBatch: 1,
    proxied: false,
    routing: false,
    comments: false,
    ttlOf: 'rrset',
    automaticTtl: false,
    writeUnit: 'record',
    disabledRecords: false,
    minTtl: 30,
    maxTtl: 2_147_483_647,
    apexCname: false,
    apexNs: true,
    createZone: true,
    zoneNameServers: false,
    soa: 'none',
    dnssec: 'none',
    deleteZone: true,
    truth: 'provider',
  },
  audit: (_, edits) => edits.flatMap(auditEdit),
  open: async (credentials, context) => (await import('./adapter.ts')).open(credentials, context),
}

const MAX_TEXT = 512

function auditEdit({ type, changes }: RRsetEdit, edit: number): Refusal[] {
  if (type !== 'TXT') return []
  return changes.flatMap((one, change): Refusal[] => {
    if (one.action === 'remove') return []
    const refused = whyNotText(one.action === 'replace' ? one.to.value : one.member.value)
    return refused === null ? [] : [{ edit, change, field: 'value', ...refused }]
  })
}

/** DigitalOcean holds the bare text, and takes no backslash in it. */
function whyNotText(value: string): Pick<Refusal, 'code' | 'message'> | null {
  const text = bytesOfText(value).toString()
  if (txtFromText(text) !== value)
    return {
      code: 'txt_plain',
      message: 'must be plain text, without strings of its own: DigitalOcean joins them',
    }
  if (text.includes('\\'))
    return { code: 'txt_backslash', message: 'must not have a backslash at DigitalOcean' }
  if (text.length <= MAX_TEXT) return null
  return { code: 'txt_long', message: `must have at most ${MAX_TEXT} characters at DigitalOcean` }
}

export default digitalocean
