import { Secret } from '../../client/fields.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { auditValues, srvWithServer } from '../../shared/audits.ts'
import type { Member, RRsetEdit } from '../../contract.ts'
import { splitCaa } from '../../shared/spelling/split-data.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiToken: Secret(
    'Personal access token',
    'Create it in the Cloud Manager under the profile → API Tokens. It is shown only once and expires on the date chosen there',
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

const TTLS = [
  300, 3600, 7200, 14_400, 28_800, 57_600, 86_400, 172_800, 345_600, 604_800, 1_209_600, 2_419_200,
]

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-00000000001f',
  key: 'linode',
  name: 'Linode',
  apiUrl: 'https://api.linode.com/v4',
  credentials,
  rights: 'A token with the scope Domains: Read/Write, of a user with permission to change your domains.',
  rates: [
    { calls: 200, seconds: 60, of: 'read' },
    { calls: 800, seconds: 60 },
  ],
  parallelWrites: 4,
  can: {
    recordTypes: [...BASIC_TYPES, ...typesIn('PTR')],
    identity: 'record-id',
    // Written one by one, after reading the zone once.
    maxBatch: 50,
    automaticTtl: true,
    minTtl: 300,
    maxTtl: 2_419_200,
    ttls: TTLS,
    // The default of new domains; a domain may have another.
    defaultTtl: 86_400,
    txt: { beyondAscii: true },
    nullMx: true,
    createZone: true,
    deleteZone: true,
  },
  audit: (_, edits) => auditValues(edits, whyNot),
  load: () => import('./adapter.ts'),
})

function whyNot(member: Member, edit: RRsetEdit) {
  if (edit.type === 'CAA') return whyNotCaa(member.value)
  if (edit.type !== 'SRV' || SERVICE.test(edit.name)) return whyNotSrv(member, edit)
  const message = 'must consist of a service and one of _tcp, _udp, _xmpp, _tls and _smtp at Linode'
  return { field: 'name', code: 'srv_name', message } as const
}

const SERVICE = /^_[a-z0-9-]+\._(tcp|udp|xmpp|tls|smtp)$/
const whyNotSrv = srvWithServer('Linode')

/** Linode has fields for tag and issuer only. */
function whyNotCaa(value: string) {
  const { flags, tag, text } = splitCaa(value)
  const isTag = ['issue', 'issuewild', 'iodef'].includes(tag)
  if (flags === 0 && isTag && !/[\s;]/.test(text)) return null
  const message = 'must have flags 0, a tag of issue, issuewild or iodef, and no parameters at Linode'
  return { field: 'value', code: 'caa_plain', message } as const
}
