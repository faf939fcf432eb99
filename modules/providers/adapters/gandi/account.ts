import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://api.gandi.net/v5/livedns'

export const credentialSchema = Type.Object({
  apiToken: Secret(
    'Personal access token',
    'Made in the organization that has the domains, under Sharing → Personal Access Token; it is shown once, and ends at a date that is chosen there',
  ),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
