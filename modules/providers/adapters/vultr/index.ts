import { BASIC_TYPES } from '../../capabilities.ts'
import { Secret } from '../../client/fields.ts'
import { auditValues, caaWithoutSpace } from '../../shared/audits.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiKey: Secret(
    'API key',
    'Create it in the customer portal under Account → API. "Access Control" there must allow the address of this service',
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-00000000001e',
  key: 'vultr',
  name: 'Vultr',
  apiUrl: 'https://api.vultr.com/v2',
  credentials,
  rights: 'The API key of a user whose only permission is Manage DNS.',
  rates: [{ calls: 30, seconds: 1 }],
  parallelWrites: 4,
  can: {
    recordTypes: [...BASIC_TYPES, 'SSHFP'],
    identity: 'record-id',
    // Written one by one, after reading the zone once.
    maxBatch: 50,
    minTtl: 120,
    defaultTtl: 300,
    txt: { beyondAscii: true, without: ['"', '\\'] },
    apexNs: true,
    createZone: true,
    deleteZone: true,
  },
  audit: (_, edits) => auditValues(edits, caaWithoutSpace('Vultr')),
  load: () => import('./adapter.ts'),
})
