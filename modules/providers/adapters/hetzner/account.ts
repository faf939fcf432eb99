import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://api.hetzner.cloud/v1'

export const credentialSchema = Type.Object({
  apiToken: Secret(
    'API token',
    'Made in the Hetzner Console: the project that has the zones → Security → API tokens; it is shown once',
  ),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
