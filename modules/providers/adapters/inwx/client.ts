import { Type, type Static, type TProperties, type TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import type { ApiClient, Answer, Failure } from '../../client/client.ts'
import { isObject, textOf } from '../../client/json.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'
import { sessionOf } from './session.ts'

/** INWX's DomRobot in its JSON form: every call is a POST within a session. */
export class InwxApi {
  readonly context: AdapterContext
  readonly #client: ApiClient

  constructor(account: Account<Credentials>) {
    const { password, totpSecret = '' } = account.credentials
    this.context = account.context
    const api = { secrets: totpSecret === '' ? [password] : [password, totpSecret], explain }
    const session = sessionOf(account.credentials, clientOf(account, api))
    this.#client = clientOf(account, { ...api, ...session })
  }

  async read<S extends TSchema>(method: string, schema: S, params = {}): Promise<Static<S>> {
    const call = { method: 'POST', json: { method, params }, large: true }
    const { body } = await this.#client.read('/', { ...call, schema })
    return body
  }

  async write<S extends TSchema>(method: string, schema: S, params = {}): Promise<Static<S>> {
    const { body } = await this.#client.write('/', { json: { method, params }, schema })
    return body
  }
}

/** The response of a call. */
export const Answered = <P extends TProperties>(data: P) =>
  Type.Object({ code: Type.Integer(), resData: Type.Object(data) })

/** The response of a change, which has no data. */
export const Changed = Type.Object({ code: Type.Integer() })

// INWX has sent numbers as text.
const Number = Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })])

export const RawDomain = Type.Object({
  roId: Number,
  domain: Type.String(),
  /** `MASTER` or `SLAVE`. */
  type: Type.Optional(Type.String()),
})

export type RawDomain = Static<typeof RawDomain>

export const RawRecord = Type.Object({
  id: Number,
  /** Absolute, without the final dot. */
  name: Type.String(),
  type: Type.String(),
  /** Of SRV `weight port target`. */
  content: Type.String(),
  ttl: Number,
  prio: Type.Optional(Type.Union([Number, Type.Null()])),
})

export type RawRecord = Static<typeof RawRecord>

/** The object exists already. */
export const EXISTS = '2302'

/** EPP result codes (RFC 5730 section 3). */
const KINDS: Record<string, ProviderErrorKind> = {
  2002: 'auth',
  2200: 'auth',
  2201: 'forbidden',
  [EXISTS]: 'conflict',
  2303: 'not_found',
  2400: 'unavailable',
  2500: 'unavailable',
  2502: 'rate_limited',
}

/** INWX reports failures by a code, with status 200. */
function explain({ status, body }: Answer): Failure | undefined {
  if (!isObject(body) || typeof body['code'] !== 'number') return undefined
  const code = String(body['code'])
  if (status < 300 && body['code'] < 2000) return undefined
  const kind = KINDS[code] ?? 'rejected'
  if (kind === 'not_found') return { kind, code, message: 'INWX does not have this in this account' }
  if (kind === 'unavailable')
    return { kind, code, message: `INWX reports an internal error (${code}); try again later` }
  const reason = [body['msg'], body['reason']].map(textOf).filter((text) => text !== '')
  return { kind, code, reason: reason.join(': ') }
}
