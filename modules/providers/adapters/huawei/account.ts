import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, PlainText, Secret } from '../../client/fields.ts'

const DEFAULT_REGION = 'cn-north-4'

export const ownUrl = (region: string): string => `https://dns.${region}.myhuaweicloud.com`

export const credentialSchema = Type.Object({
  accessKey: PlainText('Access key (AK)', 'Made in the console under My Credentials → Access Keys'),
  secretKey: Secret('Secret key (SK)', 'In the file that is downloaded once, when the key is made'),
  region: Type.String({
    title: 'Region',
    description:
      'Whose address is called, such as cn-north-4 or ap-southeast-1; public zones are the same in all',
    pattern: '^[a-z0-9-]+$',
    maxLength: 63,
    default: DEFAULT_REGION,
  }),
  apiUrl: ApiUrl(ownUrl(DEFAULT_REGION)),
})

export type Credentials = Static<typeof credentialSchema>
