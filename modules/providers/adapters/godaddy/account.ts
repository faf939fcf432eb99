import { Type, type Static } from '@sinclair/typebox'
import type { RecordType } from '../../../../dns/types/index.ts'
import { ApiUrl, Secret } from '../../client/fields.ts'

export const OWN_URL = 'https://api.godaddy.com'

/** Those that may be sent; what else is listed has no documented form. */
export const TYPES = ['A', 'AAAA', 'CNAME', 'NS', 'MX', 'TXT', 'SRV'] as const satisfies RecordType[]

/** Of what is listed without one, seconds. */
export const DEFAULT_TTL = 3600

/** Records that one call adds at most. */
export const MAX_BATCH = 100

export const credentialSchema = Type.Object({
  apiKey: Secret(
    'API key',
    'Made at developer.godaddy.com/keys for the environment Production; those of OTE need another API address',
  ),
  apiSecret: Secret('API secret', 'Shown once, together with the key'),
  apiUrl: ApiUrl(OWN_URL),
})

export type Credentials = Static<typeof credentialSchema>
