import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://njal.la/api/1/'

export const credentialSchema = Type.Object({
  apiToken: Secret(
    'API token',
    'Made at njal.la under Settings → API; it can be limited to domains and methods',
  ),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
