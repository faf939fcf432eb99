import { Type, type Static } from '@sinclair/typebox'
import type { AdapterContext } from '../../context.ts'
import { ApiClient, type Answer, type Failure } from '../../client/client.ts'
import { addressOf } from '../../client/fields.ts'
import { isObject, textOf } from '../../client/json.ts'
import { OWN_URL, type Credentials } from './account.ts'

/** The API of bunny.net (https://docs.bunny.net/reference/dnszonepublic_index). */
export const openApi = ({ apiKey, apiUrl }: Credentials, context: AdapterContext): ApiClient =>
  new ApiClient(
    {
      provider: 'bunny.net',
      ...addressOf(OWN_URL, apiUrl),
      secrets: [apiKey],
      authenticate: () => ({ accesskey: apiKey }),
      explain,
    },
    context,
  )

export const RawZone = Type.Object({
  Id: Type.Integer(),
  Domain: Type.String(),
  /** It is delegated there. */
  NameserversDetected: Type.Optional(Type.Boolean()),
  Nameserver1: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  Nameserver2: Type.Optional(Type.Union([Type.String(), Type.Null()])),
})

export type RawZone = Static<typeof RawZone>

const Number = Type.Optional(Type.Union([Type.Integer(), Type.Null()]))
const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]))

/** What of a record is not for its data, and is given back with every write. */
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

/** A record as bunny.net has it. */
export const RawRecord = Type.Object({
  Id: Type.Integer(),
  /** A number, in newer answers a name: see `TYPES`. */
  Type: Type.Union([Type.Integer(), Type.String()]),
  Ttl: Type.Integer(),
  Value: Text,
  /** Relative to the zone; '' for the apex. */
  Name: Text,
  Weight: Number,
  Priority: Number,
  Port: Number,
  Flags: Number,
  Tag: Text,
  /** What it leads to in place of a value. */
  LinkName: Text,
  Disabled: Type.Optional(Type.Boolean()),
  Comment: Text,
  ...KEPT,
})

export type RawRecord = Static<typeof RawRecord>

/** The record is there no longer. */
export const NO_RECORD = 'dnszone.record.not_found'

/** What bunny.net means, by the status and its key of the error. */
function explain({ status, body }: Answer): Failure | undefined {
  if (status < 300 || !isObject(body)) return undefined
  const [code, reason] = [textOf(body['ErrorKey']), textOf(body['Message'])]
  if (code === NO_RECORD) return { kind: 'conflict', code, reason }
  if (status === 404) return { code, message: 'bunny.net does not have this zone in this account' }
  return { code, reason }
}
