import { Type, type Static, type TProperties, type TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import { ApiClient, type Answer, type Call, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject, textOf } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'
import { sign } from './signature.ts'

const VERSION = '2018-08-01'

/** The API of Volcengine's TrafficRoute DNS (https://www.volcengine.com/docs/6758/155088), of calls by name. */
export class VolcengineApi {
  readonly context: AdapterContext
  readonly #client: ApiClient

  constructor(credentials: Credentials, context: AdapterContext) {
    this.context = context
    this.#client = new ApiClient(
      {
        provider: 'Volcengine',
        ...addressOf(OWN_URL, credentials.apiUrl),
        secrets: [credentials.secretAccessKey],
        authenticate: (request) => sign(request, credentials, context.clock.now()),
        explain,
      },
      context,
    )
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

/** What a call answers. */
export const Answered = <P extends TProperties>(result: P) => Type.Object({ Result: Type.Object(result) })

/** Of changes, of which nothing is to be known. */
export const Done = Type.Object({ ResponseMetadata: Type.Object({}) })

export const RawZone = Type.Object({
  ZID: Type.Integer(),
  ZoneName: Type.String(),
  /** It is delegated to Volcengine. */
  IsNSCorrect: Type.Optional(Type.Boolean()),
})

export type RawZone = Static<typeof RawZone>

/** A record as Volcengine has it. */
export const RawRecord = Type.Object({
  RecordID: Type.String(),
  /** Relative to the zone; `@` for the apex. */
  Host: Type.String(),
  Type: Type.String(),
  /** All of the data; of TXT the bare text. */
  Value: Type.String(),
  TTL: Type.Integer(),
  Line: Type.String(),
  Weight: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  Enable: Type.Optional(Type.Boolean()),
  Remark: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

export type RawRecord = Static<typeof RawRecord>

/** There is one such already. */
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

/** What Volcengine means: a failure has `Error` in its body, also with the status 200. */
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

const WRONG_CLOCK = 'Volcengine refuses the credentials, because its clock and ours differ'
