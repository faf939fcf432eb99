import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://api.porkbun.com/api/json/v3'

export const credentialSchema = Type.Object({
  apiKey: Secret('API key', 'Made at porkbun.com/account/api; it begins with pk1_'),
  secretApiKey: Secret('Secret API key', 'Shown once, together with the API key; it begins with sk1_'),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
