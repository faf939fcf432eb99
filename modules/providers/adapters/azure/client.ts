import { Type, type Static } from '@sinclair/typebox'
import { accessToken } from '../../client/access-token.ts'
import { isCode, type ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject, textOf } from '../../client/json.ts'
import { kindsOf } from '../../client/kinds.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import { OWN_LOGIN_URL, OWN_URL, type Credentials } from './index.ts'

/** The client of Azure's resource manager, with an access token of Microsoft Entra ID. */
export function openApi(account: Account<Credentials>): ApiClient {
  const { clientSecret } = account.credentials
  const token = accessToken(account.context, () => askForToken(account))
  return clientOf(account, { secrets: [clientSecret], ...token, explain })
}

/** The audience of the token: Azure's own address even behind a proxy, except in national clouds. */
const resourceOf = (url: string): string =>
  /^https:\/\/management\.(?:usgovcloudapi\.net|chinacloudapi\.cn)$/.test(url) ? url : OWN_URL

const Token = Type.Object({
  access_token: Type.String(),
  /** Seconds, mostly as text. */
  expires_in: Type.Union([Type.String(), Type.Number()]),
})

async function askForToken(account: Account<Credentials>) {
  const { tenantId, clientId, clientSecret, loginUrl } = account.credentials
  const address = addressOf(OWN_LOGIN_URL, loginUrl)
  const api = clientOf({ ...account, ...address }, { secrets: [clientSecret], explain: explainLogin })
  const form = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    resource: resourceOf(account.url),
  }
  const path = `/${encodeURIComponent(tenantId)}/oauth2/token`
  const { body } = await api.read(path, { method: 'POST', form, schema: Token })
  return { token: body.access_token, seconds: Number(body.expires_in) }
}

/** By their codes: https://learn.microsoft.com/entra/identity-platform/reference-error-codes. */
const LOGIN_ERRORS: Record<string, string> = {
  90002: 'The tenant does not exist: check tenantId',
  900021: 'The tenant does not exist: check tenantId',
  900023: 'The tenant does not exist: check tenantId',
  700016: 'The application does not exist in this tenant: check clientId',
  7000215: 'Azure refuses the client secret: enter its value, not its ID',
  7000222: 'The client secret has expired: create a new one',
}

function explainLogin({ status, body }: Answer): Failure | undefined {
  if (status !== 400 && status !== 401) return undefined
  if (!isObject(body) || textOf(body['error']) === '') return { kind: 'unavailable' }
  const [, code = ''] = /^AADSTS(\d+)/.exec(textOf(body['error_description'])) ?? []
  const message = LOGIN_ERRORS[code]
  return { kind: 'auth', code, ...(message !== undefined && { message }) }
}

export const RawZone = Type.Object({
  name: Type.String(),
  properties: Type.Optional(Type.Object({ nameServers: Type.Optional(Type.Array(Type.String())) })),
})
export type RawZone = Static<typeof RawZone>

/** Absolute address of the next page. */
const nextLink = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const RawZones = Type.Object({ value: Type.Array(RawZone), nextLink })

export const RawSet = Type.Object({
  /** Relative, `@` for the apex. */
  name: Type.String(),
  /** Preceded by the name of the service. */
  type: Type.String(),
  etag: Type.Optional(Type.String()),
  properties: Type.Intersect([
    Type.Object({
      /** Seconds. */
      TTL: Type.Integer(),
      metadata: Type.Optional(Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()])),
      /** Target of an alias; no id: not an alias. */
      targetResource: Type.Optional(
        Type.Union([
          Type.Object({ id: Type.Optional(Type.Union([Type.String(), Type.Null()])) }),
          Type.Null(),
        ]),
      ),
    }),
    Type.Record(Type.String(), Type.Unknown()),
  ]),
})
export type RawSet = Static<typeof RawSet>

export const RawSets = Type.Object({ value: Type.Array(RawSet), nextLink })

export const RawOperation = Type.Object({ status: Type.String() })

export const RawSigning = Type.Object({
  properties: Type.Object({
    provisioningState: Type.Optional(Type.String()),
    signingKeys: Type.Optional(
      Type.Array(
        Type.Object({
          delegationSignerInfo: Type.Optional(Type.Array(Type.Object({ record: Type.String() }))),
        }),
      ),
    ),
  }),
})

/** The set changed after it was read. */
export const OUTDATED = 'PreconditionFailed'

export const isOutdated = (error: unknown): boolean => isCode(error, OUTDATED)

/** The zone exists, and the set does not. */
export const NO_SET = 'NotFound'

/** The resource group exists, and the zone does not. */
export const NO_ZONE = ['ResourceNotFound', 'ParentResourceNotFound']

const kindOf = kindsOf({
  conflict: OUTDATED,
  locked: 'AnotherOperationInProgress RetryableError',
  quota: 'QuotaExceeded',
})

const MISSING: Record<string, string> = {
  ResourceNotFound: 'Azure DNS does not have this zone in this resource group',
  ParentResourceNotFound: 'Azure DNS does not have this zone in this resource group',
  ResourceGroupNotFound: 'Azure does not have this resource group in this subscription',
  SubscriptionNotFound: 'Azure does not have this subscription, or does not show it to this application',
}

/** The code, inside `error` or not, tells what a failure means. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300) return undefined
  const error = isObject(body) && isObject(body['error']) ? body['error'] : body
  const code = isObject(error) ? textOf(error['code']) : ''
  // Not an answer of Azure: the address is wrong.
  if (!isObject(error) || code === '') return status === 404 ? { kind: 'unavailable' } : {}
  const [kind, message] = [kindOf(code), MISSING[code]]
  if (status === 404 && message !== undefined) return { code, message }
  return { ...(kind && { kind }), code, reason: textOf(error['message']) }
}
