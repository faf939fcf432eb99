import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, PlainText, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://dns.volcengineapi.com'

export const credentialSchema = Type.Object({
  accessKeyId: PlainText(
    'Access Key ID',
    'Made in the console: the account’s menu → API access keys, or IAM → Users',
  ),
  secretAccessKey: Secret('Secret Access Key', 'Goes with the ID'),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
