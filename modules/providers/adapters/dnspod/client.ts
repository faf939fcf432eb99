import { Type, type Static, type TProperties } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import { ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'
import { sign } from './signature.ts'

const VERSION = '2021-03-23'

/** The API 3.0 of Tencent Cloud (https://cloud.tencent.com/document/api/1427/56166). */
export const openApi = (credentials: Credentials, context: AdapterContext): ApiClient =>
  new ApiClient(
    {
      provider: 'DNSPod',
      ...addressOf(OWN_URL, credentials.apiUrl),
      secrets: [credentials.secretKey],
      authenticate: (request) => sign(request, credentials, context.clock.now()),
      explain,
    },
    context,
  )

/** A call by name: each is a POST to the same address. */
export const actionOf = (action: string, json: Record<string, unknown>) => ({
  method: 'POST',
  headers: { 'x-tc-action': action, 'x-tc-version': VERSION },
  json,
})

/** What a call answers. */
export const Response = <P extends TProperties>(response: P) =>
  Type.Object({ Response: Type.Object(response) })

/** Of lists and of one; of the latter the status is in lower case. */
export const RawDomain = Type.Object({
  DomainId: Type.Integer(),
  /** The name in ASCII. */
  Punycode: Type.String(),
  Status: Type.Optional(Type.String()),
  /** Empty: it is delegated to DNSPod. */
  DNSStatus: Type.Optional(Type.String()),
  DnsStatus: Type.Optional(Type.String()),
  EffectiveDNS: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
  DnspodNsList: Type.Optional(Type.Union([Type.Array(Type.String()), Type.Null()])),
})

export type RawDomain = Static<typeof RawDomain>

/** A record as DNSPod has it. */
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

/** By the whole code or what is before its dot, of which the first that fits counts. */
const KINDS: [code: string, kind: ProviderErrorKind][] = [
  ['AuthFailure.UnauthorizedOperation', 'forbidden'],
  ['AuthFailure', 'auth'],
  ['UnauthorizedOperation', 'forbidden'],
  ['OperationDenied', 'forbidden'],
  ['IpNotInWhitelist', 'forbidden'],
  ['InvalidParameter.RequestIpLimited', 'forbidden'],
  ['FailedOperation.NotDomainOwner', 'forbidden'],
  ['InvalidParameterValue.DomainNotExists', 'not_found'],
  ['InvalidParameter.DomainIdInvalid', 'not_found'],
  ['InvalidParameter.RecordIdInvalid', 'not_found'],
  ['ResourceNotFound', 'not_found'],
  ['InvalidParameter.DomainRecordExist', 'conflict'],
  ['FailedOperation.DomainExists', 'conflict'],
  ['RequestLimitExceeded', 'rate_limited'],
  ['LimitExceeded.RecordTtlLimit', 'rejected'],
  ['LimitExceeded.SubdomainLevelLimit', 'rejected'],
  ['LimitExceeded.SubdomainWcardLimit', 'rejected'],
  ['LimitExceeded.AtNsRecordLimit', 'rejected'],
  ['LimitExceeded', 'quota'],
  ['FailedOperation.UnknowError', 'unavailable'],
  ['InternalError', 'unavailable'],
]

/** What DNSPod means: it fails with status 200, and says by a code how. */
function explain({ status, body }: Answer): Failure | undefined {
  const response = isObject(body) ? body['Response'] : undefined
  const error = isObject(response) ? response['Error'] : undefined
  if (!isObject(error) || typeof error['Code'] !== 'string') return status < 300 ? undefined : {}
  const { Code: code, Message: reason } = error
  const [, kind = 'rejected'] = KINDS.find(([known]) => code === known || code.startsWith(`${known}.`)) ?? []
  if (kind === 'unavailable') return { kind, code, message: `DNSPod itself fails (${code}); try again later` }
  return { kind, code, reason: typeof reason === 'string' && reason !== '' ? reason : code }
}
