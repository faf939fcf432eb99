import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://api.digitalocean.com/v2'

export const credentialSchema = Type.Object({
  apiToken: Secret('API token', 'Made in the control panel under API → Tokens; it is shown once'),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
