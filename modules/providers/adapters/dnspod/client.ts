import { Type, type Static, type TProperties } from '@sinclair/typebox'
import type { ProviderErrorKind } from '../../contract.ts'
import type { Answer, Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'

const VERSION = '2021-03-23'

/** The call of an action; all are a POST to the same address. */
export const actionOf = (action: string, json: Record<string, unknown>) => ({
  method: 'POST',
  headers: { 'x-tc-action': action, 'x-tc-version': VERSION },
  json,
})

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

/** By the whole code or the part before a dot. The first match counts. */
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

/** DNSPod reports failures by a code, with status 200. */
export function explain({ status, body }: Answer): Failure | undefined {
  const response = isObject(body) ? body['Response'] : undefined
  const error = isObject(response) ? response['Error'] : undefined
  if (!isObject(error) || typeof error['Code'] !== 'string') return status < 300 ? undefined : {}
  const { Code: code, Message: reason } = error
  const [, kind = 'rejected'] = KINDS.find(([known]) => code === known || code.startsWith(`${known}.`)) ?? []
  if (kind === 'unavailable')
    return { kind, code, message: `DNSPod reports an internal error (${code}); try again later` }
  return { kind, code, reason: typeof reason === 'string' && reason !== '' ? reason : code }
}
