import { Type, type Static, type TProperties } from '@sinclair/typebox'
import type { Answer, Failure } from '../../client/client.ts'
import { CommandApi } from '../../client/commands.ts'
import { isObject, textOf } from '../../client/json.ts'
import { kindsOf } from '../../client/kinds.ts'
import type { Account } from '../../shared/define-provider.ts'
import { clientOf } from '../../shared/zone-calls.ts'
import type { Credentials } from './index.ts'
import { sessionOf } from './session.ts'

/** INWX's DomRobot in its JSON form: every call is a POST within a session. */
export function openApi(account: Account<Credentials>): CommandApi {
  const { password, totpSecret = '' } = account.credentials
  const api = { secrets: [password, totpSecret], explain }
  const session = sessionOf(account.credentials, clientOf(account, api))
  const client = clientOf(account, { ...api, ...session })
  return new CommandApi(client, (method, params) => ({ json: { method, params } }))
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
const kindOf = kindsOf({
  auth: '2002 2200',
  forbidden: '2201',
  conflict: EXISTS,
  not_found: '2303',
  unavailable: '2400 2500',
  rate_limited: '2502',
})

/** INWX reports failures by a code, with status 200. */
function explain({ status, body }: Answer): Failure | undefined {
  if (!isObject(body) || typeof body['code'] !== 'number') return undefined
  const code = String(body['code'])
  if (status < 300 && body['code'] < 2000) return undefined
  const kind = kindOf(code) ?? 'rejected'
  if (kind === 'not_found') return { kind, code, message: 'INWX does not have this in this account' }
  if (kind === 'unavailable')
    return { kind, code, message: `INWX reports an internal error (${code}); try again later` }
  const reason = [body['msg'], body['reason']].map(textOf).filter((text) => text !== '')
  return { kind, code, reason: reason.join(': ') }
}
