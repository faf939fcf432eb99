import { PlainText, Secret } from '../../client/fields.ts'
import { BASIC_TYPES, typesIn } from '../../capabilities.ts'
import { ANY_TEXT } from '../../contract.ts'
import { defineProvider, type CredentialsOf } from '../../shared/define-provider.ts'

const credentials = {
  secretKey: Secret(
    'Secret key',
    'The secret part of an API key. Create the key in the console under IAM → API keys. It is shown only once; the access key is not needed',
  ),
  projectId: PlainText(
    'Project ID',
    'Find it in the dashboard of the project that contains the zones, under Settings',
  ),
}

export type Credentials = CredentialsOf<typeof credentials>

export default defineProvider({
  id: '0192f0a0-0000-7000-8000-000000000022',
  key: 'scaleway',
  name: 'Scaleway',
  apiUrl: 'https://api.scaleway.com/domain/v2beta1',
  credentials,
  rights:
    'An API key of an IAM application with a policy that has the permission set DomainsDNSFullAccess in the project of the zones.',
  can: {
    recordTypes: [
      ...BASIC_TYPES,
      ...typesIn('PTR DNAME DS TLSA SSHFP NAPTR SVCB HTTPS LOC URI HINFO RP ALIAS'),
    ],
    identity: 'record-id',
    idsChange: true,
    batch: 'atomic',
    // How much one call takes is not documented.
    maxBatch: 500,
    maxBatchValues: 1000,
    comments: true,
    minTtl: 60,
    defaultTtl: 3600,
    txt: ANY_TEXT,
    nullMx: true,
    apexAlias: true,
    apexNs: true,
    createZone: true,
    deleteZone: true,
  },
  load: () => import('./adapter.ts'),
})
