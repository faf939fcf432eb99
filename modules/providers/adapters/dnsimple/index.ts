import { bytesOfText } from '../../../../dns/text/text.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { Secret } from '../../client/fields.ts'
import type { Member, RRsetEdit } from '../../contract.ts'
import { auditValues, caaWithoutSpace, srvWithServer } from '../../shared/audits.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiToken: Secret(
    'Account access token',
    'Create it on the page of the account that has the zones, under API & Access. It is shown only once; a user token does not work here',
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000029',
  key: 'dnsimple',
  name: 'DNSimple',
  apiUrl: 'https://api.dnsimple.com/v2',
  credentials,
  rights:
    'An account access token with full access to Zones; to create zones, also to Domains. Plans below Teams have only tokens with all rights of the account.',
  rates: [{ calls: 2400, seconds: 3600 }],
  can: {
    recordTypes: [...BASIC_TYPES, ...typesIn('PTR SSHFP ALIAS')],
    identity: 'record-id',
    // Written one by one, after reading the zone once.
    maxBatch: 50,
    // A minimum is not documented.
    minTtl: 60,
    defaultTtl: 3600,
    // 1000 characters with the quotes of four strings.
    txt: { maxLength: 989, strings: true },
    apexAlias: true,
    // As a domain that is not registered there. Zones can only be deleted with their domains, which may be registered.
    createZone: true,
  },
  audit: (_, edits) => auditValues(edits, whyNot),
  load: () => import('./adapter.ts'),
})

const whyNotSrv = srvWithServer('DNSimple')
const whyNotCaa = caaWithoutSpace('DNSimple')

/** DNSimple documents neither an SRV without a server nor spaces in a CAA; it refused the latter and spaces at the end of a TXT. */
const whyNot = (member: Member, edit: RRsetEdit) =>
  whyNotSrv(member, edit) ?? whyNotCaa(member, edit) ?? whyNotText(member, edit)

function whyNotText({ value }: Member, { type }: RRsetEdit) {
  if (type !== 'TXT' || bytesOfText(value).at(-1) !== 0x20) return null
  return { field: 'value', code: 'txt_space', message: 'must not end with a space at DNSimple' } as const
}
