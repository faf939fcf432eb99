import { Type, type Static, type TProperties, type TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import type { ApiClient, Answer, Call, Failure } from '../../client/client.ts'
import { isObject, textOf } from '../../client/json.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'
import { sign } from './signature.ts'

const VERSION = '2018-08-01'

/** Calls by name, each to the same address. */
export class VolcengineApi {
  readonly context: AdapterContext
  readonly #client: ApiClient

  constructor(account: Account<Credentials>) {
    const { credentials, context } = account
    this.context = context
    this.#client = clientOf(account, {
      secrets: [credentials.secretAccessKey],
      authenticate: (request) => sign(request, credentials, context.clock.now()),
      explain,
    })
  }

  async read<S extends TSchema>(
    action: string,
    schema: S,
    parameters: NonNullable<Call['query']>,
  ): Promise<Static<S>> {
    const query = { Action: action, Version: VERSION, ...parameters }
    const { body } = await this.#client.read('/', { query, schema, large: true })
    return body
  }

  async write<S extends TSchema>(action: string, schema: S, json: object): Promise<Static<S>> {
    const query = { Action: action, Version: VERSION }
    const { body } = await this.#client.write('/', { query, json, schema })
    return body
  }
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

const KINDS: Record<string, ProviderErrorKind> = {
  InvalidAccessKey: 'auth',
  InvalidCredential: 'auth',
  SignatureDoesNotMatch: 'auth',
  InvalidTimestamp: 'auth',
  ErrMissingAccountParameter: 'auth',
  AccessDenied: 'forbidden',
  ErrDBNotFound: 'not_found',
  ErrZoneNotFound: 'not_found',
  [EXISTS]: 'conflict',
  ErrQuotaExceeded: 'quota',
  ErrAccountRecordCountLimited: 'quota',
  ErrZoneRecordCountLimited: 'quota',
  FlowLimitExceeded: 'rate_limited',
  ErrInternalServer: 'unavailable',
  InvalidActionOrVersion: 'unavailable',
}

/** A failure has `Error` in its body, even with status 200. */
function explain({ status, body }: Answer): Failure | undefined {
  const metadata = isObject(body) ? body['ResponseMetadata'] : undefined
  const error = isObject(metadata) ? metadata['Error'] : undefined
  if (!isObject(error)) return undefined
  const [code, reason] = [textOf(error['Code']), textOf(error['Message'])]
  const kind = KINDS[code] ?? (status < 300 ? 'rejected' : undefined)
  if (code === 'InvalidTimestamp') return { kind: 'auth', code, message: WRONG_CLOCK }
  if (kind === 'not_found') return { kind, code, message: 'Volcengine does not have this in this account' }
  return { code, reason: reason === '' ? code : reason, ...(kind !== undefined && { kind }) }
}

const WRONG_CLOCK = 'Volcengine refuses the credentials because the clock of this service is wrong'
