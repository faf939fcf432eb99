import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, PlainText, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://route53.amazonaws.com/2013-04-01'

export const credentialSchema = Type.Object({
  accessKeyId: PlainText(
    'Access key ID',
    'Create it in the AWS console under IAM → Users → a user → Security credentials → Access keys',
  ),
  secretAccessKey: Secret('Secret access key', 'Belongs to the ID; it is shown only once'),
  sessionToken: Type.Optional(Secret('Session token', 'Only for temporary credentials, which expire')),
  region: Type.Optional(
    PlainText(
      'Signing region',
      'Only if it differs from the region of the API address, which is us-east-1 for AWS itself',
    ),
  ),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>

/** Maximum characters of a value, as sent. */
export const MAX_VALUE = 4_000
