import { Type, type Static } from '@sinclair/typebox'
import type { Answer, Failure } from '../../client/client.ts'
import { isObject, textOf } from '../../client/json.ts'

export const RawZone = Type.Object({
  Id: Type.Integer(),
  Domain: Type.String(),
  /** The domain is delegated to bunny.net. */
  NameserversDetected: Type.Optional(Type.Boolean()),
  Nameserver1: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  Nameserver2: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

export type RawZone = Static<typeof RawZone>

const Number = Type.Optional(Type.Union([Type.Integer(), Type.Null()]))
const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))

/** Fields besides the data that every write must repeat. */
export const KEPT = {
  Accelerated: Type.Optional(Type.Unknown()),
  AutoSslIssuance: Type.Optional(Type.Unknown()),
  EnviromentalVariables: Type.Optional(Type.Unknown()),
  GeolocationLatitude: Type.Optional(Type.Unknown()),
  GeolocationLongitude: Type.Optional(Type.Unknown()),
  LatencyZone: Type.Optional(Type.Unknown()),
  MonitorType: Type.Optional(Type.Unknown()),
  SmartRoutingType: Type.Optional(Type.Unknown()),
}

export const RawRecord = Type.Object({
  Id: Type.Integer(),
  /** A number, or its name in newer answers: see `TYPES`. */
  Type: Type.Union([Type.Integer(), Type.String()]),
  Ttl: Type.Integer(),
  Value: Text,
  /** Relative to the zone; empty for the apex. */
  Name: Text,
  Weight: Number,
  Priority: Number,
  Port: Number,
  Flags: Number,
  Tag: Text,
  /** Target of records of bunny.net's own types, which have no value. */
  LinkName: Text,
  Disabled: Type.Optional(Type.Boolean()),
  Comment: Text,
  ...KEPT,
})

export type RawRecord = Static<typeof RawRecord>

/** The record no longer exists. */
export const NO_RECORD = 'dnszone.record.not_found'

/** The status and the key of the error tell what a failure means. */
export function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body)) return undefined
  const [code, reason] = [textOf(body['ErrorKey']), textOf(body['Message'])]
  if (code === NO_RECORD) return { kind: 'conflict', code, reason }
  if (status === 404) return { code, message: 'bunny.net does not have this zone in this account' }
  return { code, reason }
}
