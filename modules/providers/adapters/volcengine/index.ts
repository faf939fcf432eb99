import { PlainText, Secret } from '../../client/fields.ts'
import { BASIC_TYPES } from '../../capabilities.ts'
import { auditValues, srvWithServer } from '../../shared/audits.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  accessKeyId: PlainText(
    'Access Key ID',
    'Create it in the console: account menu → API access keys, or IAM → Users',
  ),
  secretAccessKey: Secret('Secret Access Key', 'Belongs to the ID'),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000028',
  key: 'volcengine',
  name: 'Volcengine DNS',
  apiUrl: 'https://dns.volcengineapi.com',
  credentials,
  rights: 'A key of an IAM user with the policy DNSFullAccess.',
  rates: [
    { calls: 10, seconds: 1, of: 'write' },
    { calls: 20, seconds: 1, of: 'read' },
  ],
  can: {
    recordTypes: BASIC_TYPES,
    identity: 'record-id',
    // Written one by one, after reading the zone once.
    maxBatch: 50,
    routing: true,
    comments: true,
    disabledRecords: true,
    // 600 with the free edition.
    minTtl: 1,
    maxTtl: 86_400,
    defaultTtl: 600,
    ttlByPlan: true,
    // What these, and characters beyond ASCII, become is documented nowhere.
    txt: { without: ['"', '\\'] },
    createZone: true,
    deleteZone: true,
  },
  audit: (_, edits) => auditValues(edits, srvWithServer('Volcengine')),
  load: () => import('./adapter.ts'),
})
