import { BASIC_TYPES } from '../../capabilities.ts'
import { Secret } from '../../client/fields.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiToken: Secret('API token', 'Create it in the control panel under API → Tokens. It is shown only once'),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000012',
  key: 'digitalocean',
  name: 'DigitalOcean',
  apiUrl: 'https://api.digitalocean.com/v2',
  credentials,
  rights:
    'A token with the custom scopes domain:read and domain:update. To create and delete domains, also domain:create and domain:delete.',
  rates: [
    { calls: 5000, seconds: 3600 },
    { calls: 250, seconds: 60 },
  ],
  parallelWrites: 4,
  can: {
    recordTypes: BASIC_TYPES,
    identity: 'record-id',
    // Written one by one, after reading the zone once.
    maxBatch: 50,
    minTtl: 30,
    defaultTtl: 1800,
    txt: { maxLength: 512, beyondAscii: true, without: ['\\'] },
    nullMx: true,
    apexNs: true,
    createZone: true,
    deleteZone: true,
  },
  load: () => import('./adapter.ts'),
})
