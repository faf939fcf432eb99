import { Type, type Static } from '@sinclair/typebox'
import type { ProviderErrorKind } from '../../contract.ts'
import type { Answer, Call, Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'

const VERSION = '2015-01-09'

/** The call of an action. */
export const actionOf = (action: string, query: NonNullable<Call['query']>) => ({
  headers: { 'x-acs-action': action, 'x-acs-version': VERSION },
  query: { Lang: 'en', ...query },
})

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

/** By the whole code or the part before a dot. The first match counts. */
const KINDS: [code: string, kind: ProviderErrorKind][] = [
  ['InvalidAccessKeyId', 'auth'],
  ['InvalidAccessKeySecret', 'auth'],
  ['SignatureDoesNotMatch', 'auth'],
  ['IncompleteSignature', 'auth'],
  ['InvalidTimeStamp', 'auth'],
  ['InvalidSecurityToken', 'auth'],
  ['MissingSecurityToken', 'auth'],
  ['Forbidden.AccessKeyDisabled', 'auth'],
  ['Forbidden', 'forbidden'],
  ['NoPermission', 'forbidden'],
  ['IncorrectDomainUser', 'forbidden'],
  ['InvalidDomainName.NoExist', 'not_found'],
  ['DomainRecordNotBelongToUser', 'not_found'],
  ['DomainRecordDuplicate', 'conflict'],
  ['InvalidDomainName.Duplicate', 'conflict'],
  ['QuotaExceeded', 'quota'],
  ['Throttling', 'rate_limited'],
  ['ServiceUnavailable', 'unavailable'],
  ['InternalError', 'unavailable'],
]

/** The code tells what a failure means; the status does not. */
export function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body) || typeof body['Code'] !== 'string') return undefined
  const { Code: code, Message: reason } = body
  const [, kind] = KINDS.find(([known]) => code === known || code.startsWith(`${known}.`)) ?? []
  return {
    ...(kind && { kind }),
    code,
    reason: typeof reason === 'string' && reason !== '' ? reason : code,
  }
}
