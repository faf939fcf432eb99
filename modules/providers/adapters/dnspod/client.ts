import { Type, type Static, type TProperties } from '@sinclair/typebox'
import type { Answer, Failure, FinishedRequest } from '../../client/client.ts'
import { CommandApi } from '../../client/commands.ts'
import { isObject, textOf } from '../../client/json.ts'
import { kindsOf } from '../../client/kinds.ts'
import { signed } from '../../client/signing.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

const VERSION = '2021-03-23'

/** Actions by name; all are a POST to the same address. */
export function openApi(account: Account<Credentials>): CommandApi {
  const { credentials, context } = account
  const client = clientOf(account, {
    secrets: [credentials.secretKey],
    authenticate: (request) => sign(request, credentials, context.clock.now()),
    explain,
  })
  return new CommandApi(client, (action, json) => ({
    headers: { 'x-tc-action': action, 'x-tc-version': VERSION },
    json,
  }))
}

/**
 * The headers that sign a request for five minutes (https://cloud.tencent.com/document/api/1427/56189). `now`: milliseconds
 * since 1970.
 */
export function sign(
  request: FinishedRequest,
  { secretId, secretKey }: Pick<Credentials, 'secretId' | 'secretKey'>,
  now: number,
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000))
  const scope = [new Date(now).toISOString().slice(0, 10), 'dnspod', 'tc3_request']
  const { host = '', 'content-type': type = '' } = request.headers
  const authorization = signed(request, {
    algorithm: 'TC3-HMAC-SHA256',
    headers: { 'content-type': type, host },
    stamps: [timestamp, scope.join('/')],
    secret: `TC3${secretKey}`,
    scope,
    credential: `Credential=${secretId}/${scope.join('/')}`,
  })
  return { authorization, 'x-tc-timestamp': timestamp }
}

/** The response of a call. */
export const Response = <P extends TProperties>(response: P) =>
  Type.Object({ Response: Type.Object(response) })

/** A domain of a list, or alone: then its status is in lower case. */
export const RawDomain = Type.Object({
  DomainId: Type.Integer(),
  /** The name in ASCII. */
  Punycode: Type.String(),
  Status: Type.Optional(Type.String()),
  /** Empty: the domain is delegated to DNSPod. */
  DNSStatus: Type.Optional(Type.String()),
  DnsStatus: Type.Optional(Type.String()),
  EffectiveDNS: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  DnspodNsList: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
})

export type RawDomain = Static<typeof RawDomain>

export const RawRecord = Type.Object({
  RecordId: Type.Integer(),
  /** Relative to the domain; `@` for the apex. */
  Name: Type.String(),
  Type: Type.String(),
  Value: Type.String(),
  MX: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  TTL: Type.Integer(),
  Line: Type.Optional(Type.String()),
  LineId: Type.String(),
  Weight: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  Status: Type.String(),
  Remark: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

export type RawRecord = Static<typeof RawRecord>

const kindOf = kindsOf({
  auth: 'AuthFailure',
  forbidden: [
    'AuthFailure.UnauthorizedOperation UnauthorizedOperation OperationDenied IpNotInWhitelist',
    'InvalidParameter.RequestIpLimited FailedOperation.NotDomainOwner',
  ],
  not_found: [
    'InvalidParameterValue.DomainNotExists InvalidParameter.DomainIdInvalid',
    'InvalidParameter.RecordIdInvalid ResourceNotFound',
  ],
  conflict: 'InvalidParameter.DomainRecordExist FailedOperation.DomainExists',
  rate_limited: 'RequestLimitExceeded',
  quota: 'LimitExceeded',
  rejected: [
    'LimitExceeded.RecordTtlLimit LimitExceeded.SubdomainLevelLimit',
    'LimitExceeded.SubdomainWcardLimit LimitExceeded.AtNsRecordLimit',
  ],
  unavailable: 'FailedOperation.UnknowError InternalError',
})

/** DNSPod reports failures by a code, with status 200. */
function explain({ status, body }: Answer): Failure | undefined {
  const response = isObject(body) ? body['Response'] : undefined
  const error = isObject(response) ? response['Error'] : undefined
  if (!isObject(error) || typeof error['Code'] !== 'string') return status < 300 ? undefined : {}
  const { Code: code, Message: reason } = error
  const kind = kindOf(code) ?? 'rejected'
  if (kind === 'unavailable')
    return { kind, code, message: `DNSPod reports an internal error (${code}); try again later` }
  return { kind, code, reason: textOf(reason) || code }
}
