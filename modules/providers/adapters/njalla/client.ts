import { Type, type Static, type TProperties, type TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import { ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject, textOf } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'

/** The API of Njalla, version 1 (https://njal.la/api/), in which all is a POST to one address. */
export class NjallaApi {
  readonly context: AdapterContext
  readonly #client: ApiClient

  constructor({ apiToken, apiUrl }: Credentials, context: AdapterContext) {
    this.context = context
    const authenticate = () => ({ authorization: `Njalla ${apiToken}` })
    const api = {
      provider: 'Njalla',
      ...addressOf(OWN_URL, apiUrl),
      secrets: [apiToken],
      authenticate,
      explain,
    }
    this.#client = new ApiClient(api, context)
  }

  async read<S extends TSchema>(method: string, schema: S, params = {}): Promise<Static<S>> {
    const call = { method: 'POST', json: { method, params }, large: true }
    const { body } = await this.#client.read('/', { ...call, schema })
    return body
  }

  async write<S extends TSchema>(method: string, schema: S, params: object): Promise<Static<S>> {
    const { body } = await this.#client.write('/', { json: { method, params }, schema })
    return body
  }
}

/** What a call answers. */
export const Answered = <P extends TProperties>(result: P) => Type.Object({ result: Type.Object(result) })

export const RawDomain = Type.Object({ name: Type.String(), status: Type.Optional(Type.String()) })

export type RawDomain = Static<typeof RawDomain>

/** A record as Njalla has it. */
export const RawRecord = Type.Object({
  /** Has been a number. */
  id: Type.Union([Type.String(), Type.Integer()]),
  /** Relative to the domain; `@` for the apex. */
  name: Type.String(),
  type: Type.String(),
  /** Of SRV `weight port target`. */
  content: Type.String(),
  ttl: Type.Integer(),
  prio: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
})

export type RawRecord = Static<typeof RawRecord>

/** What Njalla means: a failure has `error` in its body, mostly with the status 200. */
function explain({ status, body }: Answer): Failure | undefined {
  const error = isObject(body) ? (body['error'] ?? body['Error']) : undefined
  if (!isObject(error)) return undefined
  const [code, reason] = [Number(error['code']), textOf(error['message'])]
  const kind = kindOf(code, reason) ?? (status < 300 ? 'rejected' : undefined)
  if (kind === 'not_found') return { kind, message: 'Njalla does not have this in this account' }
  return { reason, ...(kind !== undefined && { kind }) }
}

function kindOf(code: number, reason: string): ProviderErrorKind | undefined {
  if (code === 401 || (code === 403 && /token/i.test(reason))) return 'auth'
  if (code === 403) return 'forbidden'
  if (code === 404 || /not found/i.test(reason)) return 'not_found'
  if (code === 429) return 'rate_limited'
  return code >= 500 && code < 600 ? 'unavailable' : undefined
}
