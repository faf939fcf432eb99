import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, PlainText, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://route53.amazonaws.com/2013-04-01'

export const credentialSchema = Type.Object({
  accessKeyId: PlainText(
    'Access key ID',
    'Made in the AWS console under IAM → Users → a user → Security credentials → Access keys',
  ),
  secretAccessKey: Secret('Secret access key', 'Goes with the ID; it is shown once'),
  sessionToken: Type.Optional(
    Secret('Session token', 'Only of temporary credentials, which end by themselves'),
  ),
  region: Type.Optional(
    PlainText(
      'Region of signatures',
      'Only where it is another than that of the API address, us-east-1 for AWS itself',
    ),
  ),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>

/** Characters that one value may have, as it is sent. */
export const MAX_VALUE = 4_000
