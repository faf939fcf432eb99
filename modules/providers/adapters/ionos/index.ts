import { Secret } from '../../client/fields.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { auditValues } from '../../shared/audits.ts'
import { ANY_TEXT } from '../../contract.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  apiKey: Secret(
    'API key',
    'Public prefix and secret, separated by a dot. Create them at developer.hosting.ionos.com/keys. The secret is shown only once',
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000026',
  key: 'ionos',
  name: 'IONOS',
  apiUrl: 'https://api.hosting.ionos.com/dns/v1',
  credentials,
  rights: 'An API key of the account that has the domains. IONOS has no restricted keys.',
  can: {
    recordTypes: [...BASIC_TYPES, ...typesIn('DS TLSA SSHFP')],
    identity: 'record-id',
    batch: 'best-effort',
    // The limit of one call is not documented.
    maxBatch: 100,
    maxBatchValues: 200,
    disabledRecords: true,
    minTtl: 60,
    defaultTtl: 3600,
    txt: ANY_TEXT,
  },
  audit: (_, edits) =>
    auditValues(edits, ({ value }, { type }) =>
      type === 'SRV' && value.endsWith(' .')
        ? { field: 'value', code: 'srv_target', message: 'must name a server: IONOS does not accept "."' }
        : null,
    ),
  load: () => import('./adapter.ts'),
})
