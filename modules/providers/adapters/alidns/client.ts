import { randomUUID } from 'node:crypto'
import { Type, type Static } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import { ApiClient, type Answer, type Call, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'
import { sign } from './signature.ts'

const VERSION = '2015-01-09'

/** The API of Alibaba Cloud DNS (https://www.alibabacloud.com/help/en/dns/api-alidns-2015-01-09-overview). */
export const openApi = (credentials: Credentials, context: AdapterContext): ApiClient =>
  new ApiClient(
    {
      provider: 'Alibaba Cloud DNS',
      ...addressOf(OWN_URL, credentials.apiUrl),
      secrets: [credentials.accessKeySecret],
      authenticate: (request) =>
        sign(request, credentials, { now: context.clock.now(), nonce: randomUUID() }),
      explain,
    },
    context,
  )

/** A call by name. */
export const actionOf = (action: string, query: NonNullable<Call['query']>) => ({
  headers: { 'x-acs-action': action, 'x-acs-version': VERSION },
  query: { Lang: 'en', ...query },
})

export const RawDomain = Type.Object({
  DomainName: Type.String(),
  /** The name in ASCII, of names in Chinese at least. */
  PunyCode: Type.Optional(Type.String()),
  DnsServers: Type.Optional(Type.Object({ DnsServer: Type.Array(Type.String()) })),
})

export type RawDomain = Static<typeof RawDomain>

/** A record as Alibaba Cloud DNS has it. */
export const RawRecord = Type.Object({
  /** Digits, too many for a number. */
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
  /** Whether weights count. */
  LbaStatus: Type.Optional(Type.Boolean()),
  Remark: Type.Optional(Type.String()),
})

export type RawRecord = Static<typeof RawRecord>

/** By the whole code or what is before its dot, of which the first that fits counts. */
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

/** What Alibaba Cloud means: by its code, as its statuses don't tell. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body) || typeof body['Code'] !== 'string') return undefined
  const { Code: code, Message: reason } = body
  const [, kind] = KINDS.find(([known]) => code === known || code.startsWith(`${known}.`)) ?? []
  return {
    ...(kind && { kind }),
    code,
    reason: typeof reason === 'string' && reason !== '' ? reason : code,
  }
}
