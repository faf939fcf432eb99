import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://desec.io/api/v1'

export const credentialSchema = Type.Object({
  apiToken: Secret('Token', 'Made in the web interface under Token Management; it is shown once'),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
