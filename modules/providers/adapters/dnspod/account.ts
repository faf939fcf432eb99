import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, PlainText, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://dnspod.tencentcloudapi.com'

export const credentialSchema = Type.Object({
  secretId: PlainText('SecretId', 'Made in the console under Cloud Access Management → API Keys'),
  secretKey: Secret('SecretKey', 'Shown once, when the key is made; not a DNSPod Token'),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
