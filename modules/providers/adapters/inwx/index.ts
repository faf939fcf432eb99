import { Type } from '@sinclair/typebox'
import { PlainText } from '../../client/fields.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { bytesOfText } from '../../../../dns/text/text.ts'
import { auditValues, srvWithServer } from '../../shared/audits.ts'
import type { Member, RRsetEdit } from '../../contract.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  username: PlainText('User name', 'Name of the account, or better of a sub-account for this service only'),
  password: Type.String({
    title: 'Password',
    description: 'The password used to log in at inwx.com',
    minLength: 1,
    maxLength: 255,
    writeOnly: true,
  }),
  totpSecret: Type.Optional(
    Type.String({
      title: 'Secret of the second factor',
      description: 'Only if 2-factor authentication is on: the key that INWX shows next to its QR code',
      pattern: '^[A-Za-z2-7 =]*$',
      maxLength: 255,
      writeOnly: true,
    }),
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000025',
  key: 'inwx',
  name: 'INWX',
  apiUrl: 'https://api.domrobot.com/jsonrpc/',
  credentials,
  rights:
    'A sub-account with the right to manage the name servers of your domains, or the account itself, which may do everything.',
  can: {
    recordTypes: [
      ...BASIC_TYPES,
      ...typesIn('PTR TLSA SSHFP NAPTR SVCB HTTPS URI LOC HINFO RP CERT SMIMEA OPENPGPKEY ALIAS'),
    ],
    identity: 'record-id',
    // Written one by one, after reading the zone once.
    maxBatch: 50,
    minTtl: 300,
    maxTtl: 864_000,
    defaultTtl: 86_400,
    // The treatment of other characters is not documented.
    txt: { without: ['`'] },
    apexAlias: true,
    apexNs: true,
    createZone: true,
    deleteZone: true,
  },
  audit: (_, edits) => auditValues(edits, whyNot),
  load: () => import('./adapter.ts'),
})

const whyNotSrv = srvWithServer('INWX')

function whyNot(member: Member, edit: RRsetEdit) {
  if (edit.type !== 'TXT') return whyNotSrv(member, edit)
  const bytes = bytesOfText(member.value)
  if (bytes.length === 255)
    return { field: 'value', code: 'txt_length', message: 'must not have exactly 255 bytes at INWX' } as const
  if (bytes.at(-1) !== 0x20) return null
  return { field: 'value', code: 'txt_space', message: 'must not end with a space at INWX' } as const
}
