import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import { ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'

/** The API of Porkbun, version 3 (https://porkbun.com/api/json/v3/documentation), in which all is a POST. */
export class PorkbunApi {
  readonly context: AdapterContext
  readonly #client: ApiClient
  readonly #keys: { apikey: string; secretapikey: string }

  constructor({ apiKey, secretApiKey, apiUrl }: Credentials, context: AdapterContext) {
    this.context = context
    this.#keys = { apikey: apiKey, secretapikey: secretApiKey }
    const secrets = [apiKey, secretApiKey]
    const api = { provider: 'Porkbun', ...addressOf(OWN_URL, apiUrl), secrets, explain }
    this.#client = new ApiClient(api, context)
  }

  async read<S extends TSchema>(path: string, schema: S, parameters = {}): Promise<Static<S>> {
    const json = { ...this.#keys, ...parameters }
    const { body } = await this.#client.read(path, { method: 'POST', json, schema, large: true })
    return body
  }

  async write<S extends TSchema>(path: string, schema: S, parameters = {}): Promise<Static<S>> {
    const { body } = await this.#client.write(path, { json: { ...this.#keys, ...parameters }, schema })
    return body
  }
}

/** Done. */
export const Success = Type.Object({ status: Type.Literal('SUCCESS') })

export const RawDomain = Type.Object({ domain: Type.String() })

// Most are texts in lists; what is made is answered by a number.
const Number = Type.Union([Type.Integer(), Type.String({ pattern: '^\\d+$' })])

/** A record as Porkbun has it. */
export const RawRecord = Type.Object({
  id: Number,
  /** With the domain's, without the final dot. */
  name: Type.String(),
  type: Type.String(),
  /** Of SRV `weight port target`. */
  content: Type.String(),
  ttl: Number,
  prio: Type.Optional(Type.Union([Number, Type.Null()])),
  notes: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

export type RawRecord = Static<typeof RawRecord>

/** A record that was made. */
export const Made = Type.Object({ id: Number })

/** What its words mean. */
const KINDS: [pattern: RegExp, kind: ProviderErrorKind][] = [
  [/invalid api key/i, 'auth'],
  [/not opted in/i, 'forbidden'],
  [/invalid (domain|record id)/i, 'not_found'],
  [/too many requests|rate limit/i, 'rate_limited'],
]

/** A failure has `status` "ERROR" in its body, also with an HTTP status of 200, and says in words alone which it is. */
function explain({ status, body }: Answer): Failure | undefined {
  // Of too many calls: a proxy before it answers so, and lets none of them through.
  if (status === 503 && body === undefined) return { kind: 'rate_limited', outcome: 'not_applied' }
  if (!isObject(body) || body['status'] !== 'ERROR') return undefined
  const { message, code } = body
  const reason = typeof message === 'string' ? message : ''
  const isKey = typeof code === 'string' && code.startsWith('INVALID_API_KEYS')
  const [, said] = KINDS.find(([pattern]) => pattern.test(reason)) ?? []
  const kind = isKey ? 'auth' : (said ?? (status < 300 ? 'rejected' : undefined))
  if (kind === 'not_found') return { kind, message: 'Porkbun does not have this in this account' }
  return { reason, ...(kind !== undefined && { kind }) }
}
