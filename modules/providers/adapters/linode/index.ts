import type { RecordType } from '../../../../dns/types/index.ts'
import { auditValues } from '../../shared/audits.ts'
import type { Member, Provider, RRsetEdit } from '../../contract.ts'
import { splitCaa } from '../../shared/split-data.ts'
import { credentialSchema } from './account.ts'

const TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SRV', 'CAA', 'PTR'] as const satisfies RecordType[]

const TTLS = [
  300, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 172_800, 345_600, 604_800, 1_209_600, 2_419_200,
]

const linode: Provider<typeof credentialSchema> = {
  id: '0192f0a0-0000-7000-8000-00000000001f',
  key: 'linode',
  name: 'Linode',
  credentialSchema,
  rights: 'A token with the scope Domains: Read/Write, of a user who may change the domains in question.',
  rates: [
    { calls: 200, seconds: 60, of: 'read' },
    { calls: 800, seconds: 60 },
  ],
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
    automaticTtl: true,
    writeUnit: 'record',
    disabledRecords: false,
    minTtl: 300,
    maxTtl: 2_419_200,
    ttls: TTLS,
    // Of the domain, which may have another.
    defaultTtl: 86_400,
    ttlByPlan: false,
    txt: { maxLength: 65_000, strings: false, beyondAscii: true, without: [] },
    wildcards: true,
    underscores: true,
    nullMx: true,
    apexCname: false,
    apexAlias: false,
    apexNs: false,
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

function whyNot({ value }: Member, { name, type }: RRsetEdit) {
  if (type === 'CAA') return whyNotCaa(value)
  return type === 'SRV' ? whyNotSrv(name, value) : null
}

/** Tag and issuer have fields of their own, and there is nothing else. */
function whyNotCaa(value: string) {
  const { flags, tag, text } = splitCaa(value)
  const isTag = ['issue', 'issuewild', 'iodef'].includes(tag)
  if (flags === 0 && isTag && !/[\s;]/.test(text)) return null
  const message = 'must have flags 0, a tag of issue, issuewild or iodef, and no parameters at Linode'
  return { field: 'value', code: 'caa_plain', message } as const
}

const SERVICE = /^_[a-z0-9-]+\._(tcp|udp|xmpp|tls|smtp)$/

function whyNotSrv(name: string, value: string) {
  if (!SERVICE.test(name)) {
    const message =
      'must be a service and one of _tcp, _udp, _xmpp, _tls and _smtp at Linode, and nothing else'
    return { field: 'name', code: 'srv_name', message } as const
  }
  if (!value.endsWith(' .')) return null
  return { field: 'value', code: 'srv_target', message: 'must name a server at Linode' } as const
}

export default linode
