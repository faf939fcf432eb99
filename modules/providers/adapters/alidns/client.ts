import { randomUUID } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import type { Answer, Failure, FinishedRequest } from '../../client/client.ts'
import { CommandApi } from '../../client/commands.ts'
import { isObject, textOf } from '../../client/json.ts'
import { kindsOf } from '../../client/kinds.ts'
import { sha256, signed } from '../../client/signing.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

const VERSION = '2015-01-09'

/** Actions by name, with all parameters in the query. */
export function openApi(account: Account<Credentials>): CommandApi {
  const { credentials, context } = account
  const client = clientOf(account, {
    secrets: [credentials.accessKeySecret],
    authenticate: (request) => sign(request, credentials, { now: context.clock.now(), nonce: randomUUID() }),
    explain,
  })
  return new CommandApi(client, (action, parameters, of) => ({
    ...(of === 'read' && { method: 'GET' }),
    headers: { 'x-acs-action': action, 'x-acs-version': VERSION },
    query: { Lang: 'en', ...parameters },
  }))
}

/**
 * The headers that sign a request (https://www.alibabacloud.com/help/en/sdk/product-overview/v3-request-structure-and-signature).
 * `now`: milliseconds since 1970; each `nonce` is accepted once.
 */
export function sign(
  request: FinishedRequest,
  { accessKeyId, accessKeySecret }: Pick<Credentials, 'accessKeyId' | 'accessKeySecret'>,
  { now, nonce }: { now: number; nonce: string },
): Record<string, string> {
  const own = {
    'x-acs-content-sha256': sha256(request.body),
    'x-acs-date': new Date(now).toISOString().replace(/\.\d+/, ''),
    'x-acs-signature-nonce': nonce,
  }
  const headers = Object.entries({ ...request.headers, ...own }).filter(
    ([name]) => name === 'host' || name === 'content-type' || name.startsWith('x-acs-'),
  )
  const authorization = signed(request, {
    algorithm: 'ACS3-HMAC-SHA256',
    headers: Object.fromEntries(headers),
    secret: accessKeySecret,
    credential: `Credential=${accessKeyId}`,
    separator: ',',
  })
  return { ...own, authorization }
}

export const RawDomain = Type.Object({
  DomainName: Type.String(),
  /** The name in ASCII; may be missing where the name is ASCII. */
  PunyCode: Type.Optional(Type.String()),
  DnsServers: Type.Optional(Type.Object({ DnsServer: Type.Array(Type.String()) })),
})

export type RawDomain = Static<typeof RawDomain>

export const RawRecord = Type.Object({
  /** Digits, too many for a JavaScript number. */
  RecordId: Type.String(),
  /** Relative to the domain; `@` for the apex. */
  RR: Type.String(),
  Type: Type.String(),
  Value: Type.String(),
  TTL: Type.Integer(),
  Priority: Type.Optional(Type.Integer()),
  Line: Type.String(),
  Status: Type.String(),
  Locked: Type.Optional(Type.Boolean()),
  Weight: Type.Optional(Type.Integer()),
  /** Weights are in use. */
  LbaStatus: Type.Optional(Type.Boolean()),
  Remark: Type.Optional(Type.String()),
})

export type RawRecord = Static<typeof RawRecord>

const kindOf = kindsOf({
  auth: [
    'InvalidAccessKeyId InvalidAccessKeySecret SignatureDoesNotMatch IncompleteSignature',
    'InvalidTimeStamp InvalidSecurityToken MissingSecurityToken Forbidden.AccessKeyDisabled',
  ],
  forbidden: 'Forbidden NoPermission IncorrectDomainUser',
  not_found: 'InvalidDomainName.NoExist DomainRecordNotBelongToUser',
  conflict: 'DomainRecordDuplicate InvalidDomainName.Duplicate',
  quota: 'QuotaExceeded',
  rate_limited: 'Throttling',
  unavailable: 'ServiceUnavailable InternalError',
})

/** The code tells what a failure means; the status does not. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body) || typeof body['Code'] !== 'string') return undefined
  const { Code: code, Message: reason } = body
  const kind = kindOf(code)
  return { ...(kind && { kind }), code, reason: textOf(reason) || code }
}
