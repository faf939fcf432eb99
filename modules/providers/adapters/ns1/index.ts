import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { Secret } from '../../client/fields.ts'
import { auditValues, srvWithServer } from '../../shared/audits.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiKey: Secret('API key', 'Create it in the portal under Account settings → Users & teams → API keys'),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-00000000002b',
  key: 'ns1',
  name: 'NS1 (IBM NS1 Connect)',
  shortName: 'NS1',
  apiUrl: 'https://api.nsone.net/v1',
  credentials,
  rights:
    'An API key with the permissions "View zones" and "Manage zones" for your zones, and no others. To create and delete zones, for all zones.',
  can: {
    recordTypes: [...BASIC_TYPES, ...typesIn('PTR DNAME DS TLSA')],
    identity: 'rrset',
    minTtl: 1,
    defaultTtl: 3600,
    // NS1 cuts a text into strings itself. What becomes of quotes and backslashes is not documented.
    txt: { without: ['"', '\\'] },
    apexNs: true,
    createZone: true,
    deleteZone: true,
  },
  audit: (_, edits) => auditValues(edits, srvWithServer('NS1')),
  load: () => import('./adapter.ts'),
})
