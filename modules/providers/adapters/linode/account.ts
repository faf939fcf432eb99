import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://api.linode.com/v4'

export const credentialSchema = Type.Object({
  apiToken: Secret(
    'Personal access token',
    'Made in the Cloud Manager under the profile → API Tokens; it is shown once, and ends at a date that is chosen there',
  ),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
