import { Secret } from '../../client/fields.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { bytesOfText } from '../../../../dns/text/text.ts'
import { auditValues, caaWithoutSpace } from '../../shared/audits.ts'
import type { Member, RRsetEdit } from '../../contract.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiKey: Secret('API key', 'Create it at porkbun.com/account/api. It begins with pk1_'),
  secretApiKey: Secret(
    'Secret API key',
    'It is shown only once, together with the API key. It begins with sk1_',
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-00000000001d',
  key: 'porkbun',
  name: 'Porkbun',
  apiUrl: 'https://api.porkbun.com/api/json/v3',
  credentials,
  rights:
    'A key of the account that has the domains, with API access turned on for each of your domains. A key may do everything the account may.',
  can: {
    recordTypes: [...BASIC_TYPES, ...typesIn('TLSA SSHFP SVCB HTTPS ALIAS')],
    identity: 'record-id',
    // Written one by one, after reading the zone once.
    maxBatch: 50,
    comments: true,
    minTtl: 600,
    defaultTtl: 600,
    txt: { beyondAscii: true },
    nullMx: true,
    apexAlias: true,
  },
  audit: (_, edits) => auditValues(edits, (member, edit) => caa(member, edit) ?? whyNotText(member, edit)),
  load: () => import('./adapter.ts'),
})

const caa = caaWithoutSpace('Porkbun')

function whyNotText({ value }: Member, { type }: RRsetEdit) {
  if (type !== 'TXT' || !/\s$/.test(bytesOfText(value).toString())) return null
  const message = 'must not end in a space, which Porkbun leaves out'
  return { field: 'value', code: 'txt_space', message } as const
}
