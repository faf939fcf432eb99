import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://api.hosting.ionos.com/dns/v1'

export const credentialSchema = Type.Object({
  apiKey: Secret(
    'API key',
    'Public prefix and secret with a dot between, made at developer.hosting.ionos.com/keys; the secret is shown once',
  ),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
