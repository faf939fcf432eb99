import { Type, type Static, type TProperties } from '@sinclair/typebox'
import type { Answer, Failure, FinishedRequest } from '../../client/client.ts'
import { CommandApi } from '../../client/commands.ts'
import { isObject, textOf } from '../../client/json.ts'
import { kindsOf } from '../../client/kinds.ts'
import { basicTime, signed } from '../../client/signing.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

const VERSION = '2018-08-01'
/** The service has only this one. */
const REGION = 'cn-beijing'

/** Calls by name, each to the same address. */
export function openApi(account: Account<Credentials>): CommandApi {
  const { credentials, context } = account
  const client = clientOf(account, {
    secrets: [credentials.secretAccessKey],
    authenticate: (request) => sign(request, credentials, context.clock.now()),
    explain,
  })
  return new CommandApi(client, (Action, parameters, of) => {
    const query = { Action, Version: VERSION }
    return of === 'read' ? { method: 'GET', query: { ...query, ...parameters } } : { query, json: parameters }
  })
}

/** The headers that sign a request for 15 minutes (https://www.volcengine.com/docs/6369/67269). `now`: milliseconds since 1970. */
export function sign(
  request: FinishedRequest,
  { accessKeyId, secretAccessKey }: Pick<Credentials, 'accessKeyId' | 'secretAccessKey'>,
  now: number,
  service = 'dns',
): Record<string, string> {
  const date = basicTime(now)
  const scope = [date.slice(0, 8), REGION, service, 'request']
  const authorization = signed(request, {
    algorithm: 'HMAC-SHA256',
    headers: { host: request.headers['host'] ?? '', 'x-date': date },
    stamps: [date, scope.join('/')],
    secret: secretAccessKey,
    scope,
    credential: `Credential=${accessKeyId}/${scope.join('/')}`,
  })
  return { 'x-date': date, authorization }
}

/** The response of a call. */
export const ResultOf = <P extends TProperties>(result: P) => Type.Object({ Result: Type.Object(result) })

/** The response of a change, which has no result. */
export const Done = Type.Object({ ResponseMetadata: Type.Object({}) })

export const RawZone = Type.Object({
  ZID: Type.Integer(),
  ZoneName: Type.String(),
  /** The domain is delegated to Volcengine. */
  IsNSCorrect: Type.Optional(Type.Boolean()),
})

export type RawZone = Static<typeof RawZone>

export const RawRecord = Type.Object({
  RecordID: Type.String(),
  /** Relative to the zone; `@` for the apex. */
  Host: Type.String(),
  Type: Type.String(),
  /** The whole data; a TXT is its plain text. */
  Value: Type.String(),
  TTL: Type.Integer(),
  Line: Type.String(),
  Weight: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  Enable: Type.Optional(Type.Boolean()),
  Remark: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

export type RawRecord = Static<typeof RawRecord>

/** The object exists already. */
export const EXISTS = 'ErrDBDuplicated'

const kindOf = kindsOf({
  auth: [
    'InvalidAccessKey InvalidCredential SignatureDoesNotMatch InvalidTimestamp',
    'ErrMissingAccountParameter',
  ],
  forbidden: 'AccessDenied',
  not_found: 'ErrDBNotFound ErrZoneNotFound',
  conflict: EXISTS,
  quota: 'ErrQuotaExceeded ErrAccountRecordCountLimited ErrZoneRecordCountLimited',
  rate_limited: 'FlowLimitExceeded',
  unavailable: 'ErrInternalServer InvalidActionOrVersion',
})

/** A failure has `Error` in its body, even with status 200. */
function explain({ status, body }: Answer): Failure | undefined {
  const metadata = isObject(body) ? body['ResponseMetadata'] : undefined
  const error = isObject(metadata) ? metadata['Error'] : undefined
  if (!isObject(error)) return undefined
  const [code, reason] = [textOf(error['Code']), textOf(error['Message'])]
  const kind = kindOf(code) ?? (status < 300 ? 'rejected' : undefined)
  if (code === 'InvalidTimestamp') return { kind: 'auth', code, message: WRONG_CLOCK }
  if (kind === 'not_found') return { kind, code, message: 'Volcengine does not have this in this account' }
  return { code, reason: reason === '' ? code : reason, ...(kind !== undefined && { kind }) }
}

const WRONG_CLOCK = 'Volcengine refuses the credentials because the clock of this service is wrong'
