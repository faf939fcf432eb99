import { Type, type Static, type TProperties } from '@sinclair/typebox'
import type { Answer, Failure } from '../../client/client.ts'
import { isObject } from '../../client/json.ts'
import { kindsOf } from '../../client/kinds.ts'

/** A page of a list. */
export const Page = <P extends TProperties>(list: P) =>
  Type.Object({
    ...list,
    meta: Type.Object({
      pagination: Type.Object({
        last_page: Type.Union([Type.Integer(), Type.Null()]),
        total_entries: Type.Union([Type.Integer(), Type.Null()]),
      }),
    }),
  })

export const RawZone = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  /** TTL of all sets without one of their own. */
  ttl: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  mode: Type.Optional(Type.String()),
  authoritative_nameservers: Type.Optional(
    Type.Object({
      assigned: Type.Optional(Type.Array(Type.String())),
      delegation_status: Type.Optional(Type.String()),
    }),
  ),
})

export type RawZone = Static<typeof RawZone>

export const RawRRset = Type.Object({
  /** Relative to the zone; `@` for the apex. */
  name: Type.String(),
  type: Type.String(),
  /** Null: the TTL of the zone. */
  ttl: Type.Union([Type.Integer(), Type.Null()]),
  records: Type.Array(
    Type.Object({
      value: Type.String(),
      comment: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
})

export type RawRRset = Static<typeof RawRRset>

/** A change that may outlast the response. */
export const RawAction = Type.Object({
  id: Type.Integer(),
  status: Type.String(),
  error: Type.Optional(Type.Union([Type.Object({ message: Type.Optional(Type.String()) }), Type.Null()])),
})

export type RawAction = Static<typeof RawAction>

/** Codes that tell more than the status. */
const kindOf = kindsOf({
  locked: 'conflict locked',
  rejected: 'protected',
  conflict: 'uniqueness_error',
  quota: 'resource_limit_exceeded',
})

/** The code of the error tells what a failure means. */
export function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body) || !isObject(body['error'])) return undefined
  const { code, message } = body['error']
  if (typeof code !== 'string' || typeof message !== 'string') return undefined
  if (code === 'not_found')
    return { code, message: 'Hetzner does not have this zone in the project of this token' }
  const kind = kindOf(code)
  return { code, reason: message, ...(kind !== undefined && { kind }) }
}
