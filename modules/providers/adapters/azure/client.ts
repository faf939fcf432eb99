import { Type, type Static } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import { accessToken } from '../../client/access-token.ts'
import { ApiClient, ApiFailure, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject, textOf } from '../../client/json.ts'
import { OWN_LOGIN_URL, OWN_URL, type Credentials } from './account.ts'

const PROVIDER = 'Azure DNS'

/** The API of Azure DNS (https://learn.microsoft.com/rest/api/dns/). */
export function openApi(credentials: Credentials, context: AdapterContext): ApiClient {
  const address = addressOf(OWN_URL, credentials.apiUrl)
  return new ApiClient(
    {
      provider: PROVIDER,
      ...address,
      secrets: [credentials.clientSecret],
      ...accessToken(context, () => askForToken(credentials, resourceOf(address.url), context)),
      explain,
    },
    context,
  )
}

/** What a token is for: Azure's own address, also where it is called by another one, but for national clouds. */
const resourceOf = (url: string): string =>
  /^https:\/\/management\.(?:usgovcloudapi\.net|chinacloudapi\.cn)$/.test(url) ? url : OWN_URL

const Token = Type.Object({
  access_token: Type.String(),
  /** Seconds, mostly as a text. */
  expires_in: Type.Union([Type.String(), Type.Number()]),
})

async function askForToken(credentials: Credentials, resource: string, context: AdapterContext) {
  const { tenantId, clientId, clientSecret, loginUrl } = credentials
  const address = addressOf(OWN_LOGIN_URL, loginUrl)
  const api = new ApiClient(
    { provider: PROVIDER, ...address, secrets: [clientSecret], explain: explainLogin },
    context,
  )
  const form = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    resource,
  }
  const path = `/${encodeURIComponent(tenantId)}/oauth2/token`
  const { body } = await api.read(path, { method: 'POST', form, schema: Token })
  return { token: body.access_token, seconds: Number(body.expires_in) }
}

/** By the codes of https://learn.microsoft.com/entra/identity-platform/reference-error-codes. */
const LOGIN_ERRORS: Record<string, string> = {
  90002: 'Azure has no such tenant: check tenantId',
  900021: 'Azure has no such tenant: check tenantId',
  900023: 'Azure has no such tenant: check tenantId',
  700016: 'Azure has no such application in this tenant: check clientId',
  7000215: 'Azure refuses the client secret: its value is needed, not its ID',
  7000222: 'The client secret has expired: make a new one',
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

/** The whole address of the next page. */
const nextLink = Type.Optional(Type.Union([Type.String(), Type.Null()]))

export const RawZones = Type.Object({ value: Type.Array(RawZone), nextLink })

/** A set of records. */
export const RawSet = Type.Object({
  /** Relative, `@` for the apex. */
  name: Type.String(),
  /** With the name of the service before it. */
  type: Type.String(),
  etag: Type.Optional(Type.String()),
  properties: Type.Intersect([
    Type.Object({
      /** Seconds. */
      TTL: Type.Integer(),
      metadata: Type.Optional(Type.Union([Type.Record(Type.String(), Type.String()), Type.Null()])),
      /** What an alias leads to; without an id, none. */
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

const codeOf = (error: unknown) => (error instanceof ApiFailure ? error.code : undefined)

/** The set is another than it was when it was read. */
export const isOutdated = (error: unknown): boolean => codeOf(error) === 'PreconditionFailed'

/** The set is not there, but the zone is. */
export const isNoSet = (error: unknown): boolean => codeOf(error) === 'NotFound'

/** The zone is not there, but the resource group is. */
export const isNoZone = (error: unknown): boolean =>
  ['ResourceNotFound', 'ParentResourceNotFound'].includes(codeOf(error) ?? '')

const KINDS: Record<string, ProviderErrorKind> = {
  PreconditionFailed: 'conflict',
  AnotherOperationInProgress: 'locked',
  RetryableError: 'locked',
  QuotaExceeded: 'quota',
}

const MISSING: Record<string, string> = {
  ResourceNotFound: 'Azure DNS does not have this zone in this resource group',
  ParentResourceNotFound: 'Azure DNS does not have this zone in this resource group',
  ResourceGroupNotFound: 'Azure does not have this resource group in this subscription',
  SubscriptionNotFound: 'Azure does not have this subscription, or does not show it to this application',
}

/** What Azure means: by its code, with an `error` around it or without. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300) return undefined
  const error = isObject(body) && isObject(body['error']) ? body['error'] : body
  const code = isObject(error) ? textOf(error['code']) : ''
  // Something else answers, at a wrong address.
  if (!isObject(error) || code === '') return status === 404 ? { kind: 'unavailable' } : {}
  const [kind, message] = [KINDS[code], MISSING[code]]
  if (status === 404 && message !== undefined) return { code, message }
  return { ...(kind && { kind }), code, reason: textOf(error['message']) }
}
