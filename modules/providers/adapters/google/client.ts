import { Type, type Static } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import { accessToken } from '../../client/access-token.ts'
import { ApiClient, ApiFailure, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject, textOf } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'
import { assertionOf, type KeyFile } from './service-account.ts'

const PROVIDER = 'Google Cloud DNS'

/** The API of Google Cloud DNS, version 1 (https://cloud.google.com/dns/docs/reference/rest/v1). */
export function openApi(
  { serviceAccount, apiUrl }: Credentials,
  key: KeyFile,
  context: AdapterContext,
): ApiClient {
  const secrets = [serviceAccount, key.private_key]
  return new ApiClient(
    {
      provider: PROVIDER,
      ...addressOf(OWN_URL, apiUrl),
      secrets,
      ...accessToken(context, () => askForToken(key, secrets, context)),
      explain,
    },
    context,
  )
}

const Token = Type.Object({ access_token: Type.String(), expires_in: Type.Number() })

async function askForToken(key: KeyFile, secrets: string[], context: AdapterContext) {
  const api = new ApiClient(
    { provider: PROVIDER, url: key.token_uri, isOwnAddress: true, secrets, explain: explainToken },
    context,
  )
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: assertionOf(key, context.clock.now()),
  }
  const { body } = await api.read('', { method: 'POST', form, schema: Token })
  return { token: body.access_token, seconds: body.expires_in }
}

/** By RFC 6749 section 5.2. */
function explainToken({ status, body }: Answer): Failure | undefined {
  if (status !== 400 && status !== 401) return undefined
  if (!isObject(body) || typeof body['error'] !== 'string') return { kind: 'unavailable' }
  const reason = textOf(body['error_description'])
  if (/\biat\b|timeframe/i.test(reason))
    return { kind: 'auth', message: 'Google refuses the credentials, because its clock and ours differ' }
  return { kind: 'auth' }
}

export const RawZone = Type.Object({
  /** Its own name, which stands in paths. */
  name: Type.String(),
  dnsName: Type.String(),
  nameServers: Type.Optional(Type.Array(Type.String())),
  /** `private` is only for networks of the project. */
  visibility: Type.Optional(Type.String()),
  dnssecConfig: Type.Optional(Type.Object({ state: Type.Optional(Type.String()) })),
})
export type RawZone = Static<typeof RawZone>

const nextPageToken = Type.Optional(Type.String())

/** Empty lists are left out. */
export const RawZones = Type.Object({ managedZones: Type.Optional(Type.Array(RawZone)), nextPageToken })

export const RawRRset = Type.Object({
  /** With the final dot. */
  name: Type.String(),
  type: Type.String(),
  /** Seconds. */
  ttl: Type.Integer(),
  /** Presentation data; none where there is a policy. */
  rrdatas: Type.Optional(Type.Array(Type.String())),
  /** By which of several sets it answers. */
  routingPolicy: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})
export type RawRRset = Static<typeof RawRRset>

export const RawRRsets = Type.Object({ rrsets: Type.Optional(Type.Array(RawRRset)), nextPageToken })

export const RawChange = Type.Object({ id: Type.String(), status: Type.String() })

export const RawKeys = Type.Object({
  dnsKeys: Type.Optional(
    Type.Array(
      Type.Object({
        type: Type.String(),
        keyTag: Type.Integer(),
        algorithm: Type.String(),
        isActive: Type.Boolean(),
        digests: Type.Optional(Type.Array(Type.Object({ type: Type.String(), digest: Type.String() }))),
      }),
    ),
  ),
})

/** Sets are others than they were when they were read. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof ApiFailure &&
  ['alreadyExists', 'conditionNotMet', 'notFound'].includes(error.code ?? '') &&
  OF_CHANGE.test(error.message)

const OF_CHANGE = /entity\.change\.(?:additions|deletions)|entity\.rrset/

const KINDS: Record<string, ProviderErrorKind> = {
  rateLimitExceeded: 'rate_limited',
  userRateLimitExceeded: 'rate_limited',
  dailyLimitExceeded: 'rate_limited',
  quotaExceeded: 'quota',
  alreadyExists: 'conflict',
  conditionNotMet: 'conflict',
}

/** What Google means: by its reason, of which one may come with several statuses. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300) return undefined
  const error = isObject(body) ? body['error'] : undefined
  // Something else answers, at a wrong address.
  if (!isObject(error)) return status === 404 ? { kind: 'unavailable' } : {}
  const [first] = Array.isArray(error['errors']) ? error['errors'].filter(isObject) : []
  const [reason, code] = [textOf(error['message']), textOf(first?.['reason'])]
  if (status === 404 && OF_CHANGE.test(reason)) return { kind: 'conflict', code, reason }
  if (status === 404 && reason.includes('parameters.project')) return { code, message: NO_PROJECT }
  if (status === 404 && reason.includes('parameters.managedZone')) return { code, message: NO_ZONE }
  const kind = KINDS[code]
  return { ...(kind && { kind }), code, reason }
}

const NO_PROJECT = 'Google Cloud does not have this project, or does not show it to this account'
const NO_ZONE = 'Google Cloud DNS does not have this zone in this project'
