import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, PlainText, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://api.scaleway.com/domain/v2beta1'

export const credentialSchema = Type.Object({
  secretKey: Secret(
    'Secret key',
    'Of an API key, made in the console under IAM → API keys; it is shown once, with the access key, which is not needed',
  ),
  projectId: PlainText('Project ID', 'Of the project that has the zones: Project dashboard → Settings'),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
