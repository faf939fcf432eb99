import { Type, type Static, type TProperties, type TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import { ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject, textOf } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'
import { sessionOf } from './session.ts'

/** INWX' DomRobot, by JSON (https://www.inwx.com/en/help/apidoc), in which all is a POST within a session. */
export class InwxApi {
  readonly context: AdapterContext
  readonly #client: ApiClient

  constructor(credentials: Credentials, context: AdapterContext) {
    this.context = context
    const { password, totpSecret = '', apiUrl } = credentials
    const secrets = totpSecret === '' ? [password] : [password, totpSecret]
    const api = { provider: 'INWX', ...addressOf(OWN_URL, apiUrl), secrets, explain }
    const session = sessionOf(credentials, new ApiClient(api, context))
    this.#client = new ApiClient({ ...api, ...session }, context)
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

/** What a call answers. */
export const Answered = <P extends TProperties>(data: P) =>
  Type.Object({ code: Type.Integer(), resData: Type.Object(data) })

/** Of changes, of which nothing is to be known. */
export const Changed = Type.Object({ code: Type.Integer() })

// Clients have seen numbers as texts.
const Number = Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })])

export const RawDomain = Type.Object({
  roId: Number,
  domain: Type.String(),
  /** `MASTER` or `SLAVE`. */
  type: Type.Optional(Type.String()),
})

export type RawDomain = Static<typeof RawDomain>

/** A record as INWX has it. */
export const RawRecord = Type.Object({
  id: Number,
  /** With the domain's, without the final dot. */
  name: Type.String(),
  type: Type.String(),
  /** Of SRV `weight port target`. */
  content: Type.String(),
  ttl: Number,
  prio: Type.Optional(Type.Union([Number, Type.Null()])),
})

export type RawRecord = Static<typeof RawRecord>

/** There is one such already. */
export const EXISTS = '2302'

/** By the codes of EPP (RFC 5730 section 3). */
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

/** What INWX means, which it says by a code, with the status 200. */
function explain({ status, body }: Answer): Failure | undefined {
  if (!isObject(body) || typeof body['code'] !== 'number') return undefined
  const code = String(body['code'])
  if (status < 300 && body['code'] < 2000) return undefined
  const kind = KINDS[code] ?? 'rejected'
  if (kind === 'not_found') return { kind, code, message: 'INWX does not have this in this account' }
  if (kind === 'unavailable') return { kind, code, message: `INWX itself fails (${code}); try again later` }
  const reason = [body['msg'], body['reason']].map(textOf).filter((text) => text !== '')
  return { kind, code, reason: reason.join(': ') }
}
