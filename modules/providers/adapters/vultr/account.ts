import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://api.vultr.com/v2'

export const credentialSchema = Type.Object({
  apiKey: Secret(
    'API key',
    'Made in the customer portal under Account → API; there "Access Control" must allow the address of this service',
  ),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
