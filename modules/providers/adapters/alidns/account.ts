import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, PlainText, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://alidns.aliyuncs.com'

export const credentialSchema = Type.Object({
  accessKeyId: PlainText('AccessKey ID', 'Of a RAM user: RAM console → Users → Create AccessKey'),
  accessKeySecret: Secret('AccessKey secret', 'Shown once, when the AccessKey is made'),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
