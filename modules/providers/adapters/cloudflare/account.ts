import { Type, type Static } from '@sinclair/typebox'
import { ApiUrl, PlainText, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://api.cloudflare.com/client/v4'

export const credentialSchema = Type.Object({
  apiToken: Secret(
    'API token',
    'Made in the dashboard under My Profile → API Tokens, or Manage Account → Account API Tokens; not the Global API Key',
  ),
  accountId: Type.Optional(
    PlainText(
      'Account ID',
      'Shows the zones of that account alone, and makes new ones there; needed to create zones',
    ),
  ),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>

/** Of the smallest plan, in one transaction. */
export const MAX_BATCH = 200
