import { Type, type Static } from '@sinclair/typebox'
import { accessToken } from '../../client/access-token.ts'
import { isCode, type ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { isObject, textOf } from '../../client/json.ts'
import { kindsOf } from '../../client/kinds.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'
import { assertionOf, type KeyFile } from './service-account.ts'

/** The client, with an access token of the service account. */
export function openApi(account: Account<Credentials>, key: KeyFile): ApiClient {
  const secrets = [account.credentials.serviceAccount, key.private_key]
  const token = accessToken(account.context, () => askForToken(account, key, secrets))
  return clientOf(account, { secrets, ...token, explain })
}

const Token = Type.Object({ access_token: Type.String(), expires_in: Type.Number() })

async function askForToken(account: Account, key: KeyFile, secrets: string[]) {
  const address = { url: key.token_uri, isOwnAddress: true }
  const api = clientOf({ ...account, ...address }, { secrets, explain: explainToken })
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: assertionOf(key, account.context.clock.now()),
  }
  const { body } = await api.read('', { method: 'POST', form, schema: Token })
  return { token: body.access_token, seconds: body.expires_in }
}

/** Errors of RFC 6749 section 5.2. */
function explainToken({ status, body }: Answer): Failure | undefined {
  if (status !== 400 && status !== 401) return undefined
  if (!isObject(body) || typeof body['error'] !== 'string') return { kind: 'unavailable' }
  const reason = textOf(body['error_description'])
  if (/\biat\b|timeframe/i.test(reason))
    return {
      kind: 'auth',
      message: 'Google refuses the credentials because the clock of this service is wrong',
    }
  return { kind: 'auth' }
}

export const RawZone = Type.Object({
  /** The id, used in paths. */
  name: Type.String(),
  dnsName: Type.String(),
  nameServers: Type.Optional(Type.Array(Type.String())),
  /** `private`: served to networks of the project only. */
  visibility: Type.Optional(Type.String()),
  dnssecConfig: Type.Optional(Type.Object({ state: Type.Optional(Type.String()) })),
})
export type RawZone = Static<typeof RawZone>

const nextPageToken = Type.Optional(Type.String())

/** Google leaves out empty lists. */
export const RawZones = Type.Object({ managedZones: Type.Optional(Type.Array(RawZone)), nextPageToken })

export const RawRRset = Type.Object({
  /** With the final dot. */
  name: Type.String(),
  type: Type.String(),
  /** Seconds. */
  ttl: Type.Integer(),
  /** Presentation data; missing where there is a policy. */
  rrdatas: Type.Optional(Type.Array(Type.String())),
  /** How Google chooses among several answers. */
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

/** The sets changed after they were read. */
export const isOutdated = (error: unknown): boolean =>
  isCode(error, 'alreadyExists', 'conditionNotMet', 'notFound') && OF_CHANGE.test(error.message)

const OF_CHANGE = /entity\.change\.(?:additions|deletions)|entity\.rrset/

const kindOf = kindsOf({
  rate_limited: 'rateLimitExceeded userRateLimitExceeded dailyLimitExceeded',
  quota: 'quotaExceeded',
  conflict: 'alreadyExists conditionNotMet',
})

/** The reason tells what a failure means; statuses vary for the same reason. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300) return undefined
  const error = isObject(body) ? body['error'] : undefined
  // Not an answer of Google: the address is wrong.
  if (!isObject(error)) return status === 404 ? { kind: 'unavailable' } : {}
  const [first] = Array.isArray(error['errors']) ? error['errors'].filter(isObject) : []
  const [reason, code] = [textOf(error['message']), textOf(first?.['reason'])]
  if (status === 404 && OF_CHANGE.test(reason)) return { kind: 'conflict', code, reason }
  if (status === 404 && reason.includes('parameters.project')) return { code, message: NO_PROJECT }
  if (status === 404 && reason.includes('parameters.managedZone')) return { code, message: NO_ZONE }
  const kind = kindOf(code)
  return { ...(kind && { kind }), code, reason }
}

const NO_PROJECT = 'Google Cloud does not have this project, or does not show it to this account'
const NO_ZONE = 'Google Cloud DNS does not have this zone in this project'
