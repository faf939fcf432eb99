import { Type, type Static, type TSchema } from '@sinclair/typebox'
import type { ProviderErrorKind, Zone } from '../../contract.ts'
import type { Answer, Failure } from '../../client/client.ts'
import { CommandApi } from '../../client/commands.ts'
import { isObject, textOf } from '../../client/json.ts'
import type { Account } from '../../shared/define-provider.ts'
import { bearer, clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'

/** Sends parameters in the body, which no log shows. The token is there too, because servers before version 15 need it. */
export function openApi(account: Account<Credentials>): CommandApi {
  const token = account.credentials.apiToken
  const url = `${account.url.replace(/\/api$/, '')}/api`
  const client = clientOf({ ...account, url }, { ...bearer(token), explain })
  return new CommandApi(client, (path, parameters) => ({ path, form: { token, ...parameters } }))
}

/** The zone with all its records, or with those of one absolute name. */
export async function readRecords(
  api: CommandApi,
  zone: Zone,
  name?: string,
): Promise<Static<typeof Records>['response']> {
  const domain = name === undefined ? { domain: zone.name, listZone: true } : { domain: name }
  return (await api.read('/zones/records/get', Records, { zone: zone.id, ...domain })).response
}

/** The response of a successful call. */
export const Done = <S extends TSchema>(response: S) => Type.Object({ status: Type.Literal('ok'), response })

/** The response of a change, which has no data. */
export const Changed = Type.Object({ status: Type.Literal('ok') })

export const RawZone = Type.Object({
  /** Without the final dot; the root is ''. */
  name: Type.String(),
  type: Type.String(),
  internal: Type.Optional(Type.Boolean()),
  dnssecStatus: Type.Optional(Type.String()),
  disabled: Type.Optional(Type.Boolean()),
})

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

const Records = Done(Type.Object({ zone: RawZone, records: Type.Array(RawRecord) }))

/** Others changed or deleted the record in the meantime. */
export const OUTDATED = 'outdated'

const MEANINGS: [text: RegExp, kind: ProviderErrorKind, code?: string][] = [
  [/^access was denied/i, 'forbidden'],
  [/^no such (authoritative )?zone was found/i, 'not_found'],
  [/^zone already exists/i, 'conflict'],
  [/old record does not exist/i, 'conflict', OUTDATED],
]

/** A failure has the status 200; mostly only its text tells the kind. */
function explain({ body }: Answer, path: string): Failure | 'applied' | undefined {
  if (!isObject(body)) return undefined
  if (body['status'] === 'invalid-token') return { kind: 'auth' }
  if (body['status'] !== 'error') return undefined
  const reason = textOf(body['errorMessage'])
  // Adding an existing record succeeded before version 14.
  if (path.endsWith('/add') && /: record already exists\.?$/i.test(reason)) return 'applied'
  const [, kind = 'rejected', code] = MEANINGS.find(([text]) => text.test(reason)) ?? []
  return { kind, reason, ...(code !== undefined && { code }) }
}
