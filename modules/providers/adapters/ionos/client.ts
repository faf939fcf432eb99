import { Type, type Static } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import { ApiClient, ApiFailure, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject, textOf } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'

/** The DNS API of IONOS for developers (https://developer.hosting.ionos.com/docs/dns). */
export const openApi = ({ apiKey, apiUrl }: Credentials, context: AdapterContext): ApiClient =>
  new ApiClient(
    {
      provider: 'IONOS',
      ...addressOf(OWN_URL, apiUrl),
      // Before the dot there is a prefix that says which key it is.
      secrets: [apiKey, apiKey.slice(apiKey.indexOf('.') + 1)],
      authenticate: () => ({ 'x-api-key': apiKey }),
      explain,
    },
    context,
  )

export const RawZone = Type.Object({
  id: Type.String(),
  name: Type.String(),
  type: Type.Optional(Type.String()),
})

export type RawZone = Static<typeof RawZone>

/** A record as IONOS has it. */
export const RawRecord = Type.Object({
  id: Type.String(),
  /** With the zone's, without the final dot. */
  name: Type.String(),
  type: Type.String(),
  /** Without the priority; names are without the final dot, texts in quotes. */
  content: Type.String(),
  ttl: Type.Integer(),
  prio: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  disabled: Type.Optional(Type.Boolean()),
})

export type RawRecord = Static<typeof RawRecord>

const [EXISTS, NO_RECORD] = ['RECORD_ALREADY_EXISTS', 'RECORD_NOT_FOUND']

/** The record that was to be made is there. */
export const isThere = (error: unknown) => error instanceof ApiFailure && error.code === EXISTS

/** The record is there no longer. */
export const isGone = (error: unknown) => error instanceof ApiFailure && error.code === NO_RECORD

/** What IONOS means, by the first of its errors. */
function explain({ status, body }: Answer): Failure | undefined {
  const first: unknown = status >= 300 && Array.isArray(body) ? body[0] : undefined
  if (!isObject(first)) return undefined
  const code = textOf(first['code'])
  const reason = [textOf(first['message']) || code, ...fieldsOf(first['parameters'])].join(' ')
  if (code === EXISTS || code === NO_RECORD) return { kind: 'conflict', code, reason }
  if (status === 404) return { code, message: 'IONOS does not have this zone in the account of this key' }
  return { code, reason }
}

/** Those that are wrong; the record itself stands there as well, and is not shown. */
function fieldsOf(parameters: unknown): string[] {
  const fields = isObject(parameters) ? parameters['invalidFields'] : undefined
  return Array.isArray(fields) && fields.length > 0 ? [`(${fields.map(textOf).join(', ')})`] : []
}
