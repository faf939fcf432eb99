import { Type } from '@sinclair/typebox'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { PlainText, Secret } from '../../client/fields.ts'
import { auditValues, srvWithServer } from '../../shared/audits.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  customerNumber: PlainText('Customer number', 'The number you sign in with to the customer control panel'),
  apiKey: Secret('API key', 'Create it in the customer control panel under Master Data → API'),
  apiPassword: Secret('API password', 'Create it next to the key. It is not the password you sign in with'),
  domains: Type.Optional(
    Type.String({
      title: 'Domains',
      description:
        'Domains to list, separated by spaces. Needed because netcup lists domains for resellers only; other domains are still found by name',
      pattern: '^[A-Za-z0-9.,\\s-]*$',
      maxLength: 4096,
    }),
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000024',
  key: 'netcup',
  name: 'netcup',
  apiUrl: 'https://ccp.netcup.net/run/webservice/servers/endpoint.php',
  credentials,
  rights: 'An API key and password of the account that has the domains. netcup has no restricted keys.',
  rates: [{ calls: 180, seconds: 60 }],
  can: {
    recordTypes: [...BASIC_TYPES, ...typesIn('DS TLSA SMIMEA SSHFP OPENPGPKEY')],
    identity: 'record-id',
    batch: 'best-effort',
    maxBatch: 100,
    ttlOf: 'zone',
    minTtl: 1,
    defaultTtl: 86_400,
    // How netcup changes these is not documented.
    txt: { without: ['"', '\\'] },
  },
  audit: (_, edits) => auditValues(edits, srvWithServer('netcup')),
  load: () => import('./adapter.ts'),
})
