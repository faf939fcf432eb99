import { typesIn } from '../../capabilities.ts'
import { PlainText, Secret } from '../../client/fields.ts'
import { auditValues, srvWithServer } from '../../shared/audits.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  username: PlainText('User name', 'Of the account that has the domains'),
  apiToken: Secret('API token', 'Create it at www.name.com/account/settings/api, as a production token'),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-00000000002a',
  key: 'namecom',
  name: 'Name.com',
  apiUrl: 'https://api.name.com/v4',
  credentials,
  rights: 'The API token of the account that has the domains: there is none with fewer rights.',
  rates: [
    { calls: 20, seconds: 1 },
    { calls: 3000, seconds: 3600 },
  ],
  can: {
    // The API has no CAA. ANAME records are shown, not managed.
    recordTypes: typesIn('A AAAA CNAME NS MX TXT SRV'),
    identity: 'record-id',
    // Written one by one, after reading the zone once.
    maxBatch: 50,
    minTtl: 300,
    defaultTtl: 300,
    // Found by users, not documented: 512 bytes, counting the quotes and spaces of strings of 255.
    txt: { maxLength: 507, without: ['"', '\\'] },
  },
  audit: (_, edits) => auditValues(edits, srvWithServer('Name.com')),
  load: () => import('./adapter.ts'),
})
