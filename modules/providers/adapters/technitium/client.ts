import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import type { ProviderErrorKind } from '../../contract.ts'
import { ApiClient, type Answer, type Call, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject, textOf } from '../../client/json.ts'
import type { Credentials } from './account.ts'

/** The HTTP API of Technitium DNS Server (https://github.com/TechnitiumSoftware/DnsServer/blob/master/APIDOCS.md). */
export const openApi = ({ apiToken, apiUrl }: Credentials, context: AdapterContext): ApiClient =>
  new ApiClient(
    {
      provider: 'Technitium',
      ...addressOf(
        '',
        `${apiUrl
          .trim()
          .replace(/\/+$/, '')
          .replace(/\/api$/, '')}/api`,
      ),
      secrets: [apiToken],
      authenticate: () => ({ authorization: `Bearer ${apiToken}` }),
      explain,
    },
    context,
  )

/** Parameters go in the body, where no log has them; with the token, as servers before 15 look for it nowhere else. */
export const callOf = (token: string, parameters: NonNullable<Call['form']>) => ({
  method: 'POST',
  form: { token, ...parameters },
})

/** What a call answers that succeeds. */
export const Done = <S extends TSchema>(response: S) => Type.Object({ status: Type.Literal('ok'), response })

/** Of changes, of which nothing is to be known. */
export const Changed = Type.Object({ status: Type.Literal('ok') })

export const RawZone = Type.Object({
  /** Without the final dot; the root is ''. */
  name: Type.String(),
  type: Type.String(),
  internal: Type.Optional(Type.Boolean()),
  dnssecStatus: Type.Optional(Type.String()),
  disabled: Type.Optional(Type.Boolean()),
})

export type RawZone = Static<typeof RawZone>

/** A record as Technitium has it. */
export const RawRecord = Type.Object({
  /** Absolute, without the final dot. */
  name: Type.String(),
  type: Type.String(),
  ttl: Type.Integer(),
  rData: Type.Record(Type.String(), Type.Unknown()),
  disabled: Type.Optional(Type.Boolean()),
  comments: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  /** Seconds after which it is deleted; 0: never. */
  expiryTtl: Type.Optional(Type.Integer()),
})

export type RawRecord = Static<typeof RawRecord>

/** The record that was to be changed is another one meanwhile. */
export const OUTDATED = 'outdated'

const MEANINGS: [text: RegExp, kind: ProviderErrorKind, code?: string][] = [
  [/^access was denied/i, 'forbidden'],
  [/^no such (authoritative )?zone was found/i, 'not_found'],
  [/^zone already exists/i, 'conflict'],
  [/old record does not exist/i, 'conflict', OUTDATED],
]

/** What Technitium means, which it says in words alone, with the status 200. */
function explain({ body }: Answer, path: string): Failure | 'applied' | undefined {
  if (!isObject(body)) return undefined
  if (body['status'] === 'invalid-token') return { kind: 'auth' }
  if (body['status'] !== 'error') return undefined
  const reason = textOf(body['errorMessage'])
  // Before version 14 that was no failure.
  if (path.endsWith('/add') && /: record already exists\.?$/i.test(reason)) return 'applied'
  const [, kind = 'rejected', code] = MEANINGS.find(([text]) => text.test(reason)) ?? []
  return { kind, reason, ...(code !== undefined && { code }) }
}
