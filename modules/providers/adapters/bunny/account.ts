import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://api.bunny.net'

export const credentialSchema = Type.Object({
  apiKey: Secret(
    'API key',
    'Of the account: in the dashboard under Account settings → API; not that of a storage zone',
  ),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
