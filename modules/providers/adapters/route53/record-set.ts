import { Type, type Static } from '@sinclair/typebox'
import type { JsonValue } from '../../../../db/tables/index.ts'
import { absoluteName, relativeName } from '../../../../dns/names/names.ts'
import type { Routing } from '../../../../dns/names/rrset.ts'
import { typeOf } from '../../../../dns/types/index.ts'
import { readName, writeName } from '../../../../dns/wire/wire-name.ts'
import type { Zone } from '../../contract.ts'
import type { Spell } from '../../shared/rrsets/edited-set.ts'
import { isObject } from '../../client/json.ts'
import type { SetWrite } from '../../shared/rrsets/by-rrset.ts'
import { plainValues, type ListedSet } from '../../shared/rrsets/listed-sets.ts'
import type { XmlValue } from '../../client/xml.ts'

/** A set of records at Route 53. Elements that are not read here are sent back unchanged. */
export const RawSet = Type.Object({
  Name: Type.String(),
  Type: Type.String(),
  /** Distinguishes it from others of its name and type. */
  SetIdentifier: Type.Optional(Type.String()),
  Weight: Type.Optional(Type.String()),
  Region: Type.Optional(Type.String()),
  GeoLocation: Type.Optional(Type.Record(Type.String(), Type.String())),
  /** PRIMARY or SECONDARY. */
  Failover: Type.Optional(Type.String()),
  /** Missing for an alias, as are its records. */
  TTL: Type.Optional(Type.String()),
  ResourceRecords: Type.Optional(
    Type.Object({ ResourceRecord: Type.Array(Type.Object({ Value: Type.String() })) }),
  ),
  AliasTarget: Type.Optional(
    Type.Object({
      HostedZoneId: Type.String(),
      DNSName: Type.String(),
      EvaluateTargetHealth: Type.String(),
    }),
  ),
})
export type RawSet = Static<typeof RawSet>

/** Elements without a counterpart here; returned as `extra`. */
const EXTRA = [
  'GeoLocation',
  'Failover',
  'MultiValueAnswer',
  'HealthCheckId',
  'TrafficPolicyInstanceId',
  'CidrRoutingConfig',
  'GeoProximityLocation',
]

/** In the order that Route 53 requires. */
const ELEMENTS = [
  'Name',
  'Type',
  'SetIdentifier',
  'Weight',
  'Region',
  'GeoLocation',
  'Failover',
  'MultiValueAnswer',
  'TTL',
  'ResourceRecords',
  'AliasTarget',
  'HealthCheckId',
  'TrafficPolicyInstanceId',
  'CidrRoutingConfig',
  'GeoProximityLocation',
]

/** The content of `ResourceRecordSet`. */
export const xmlOf = (raw: RawSet): XmlValue =>
  Object.fromEntries(
    ELEMENTS.flatMap((name) => {
      const value = (raw as Record<string, XmlValue>)[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/* Route 53 writes a byte as three octal digits (`\303`), master files as three decimal ones (`\195`). */

/** Master-file data in Route 53's spelling. */
export const toOctal = (rdata: string): string =>
  rdata.replace(/\\(?:(\d{3})|[^])/g, (all, digits?: string) =>
    digits === undefined ? all : octal(Number(digits)),
  )

/** A name in Route 53's spelling, which has no other escapes. */
const toOctalName = (name: string): string =>
  name.replace(/\\(?:(\d{3})|([^]))/g, (_, digits: string | undefined, sign = '') =>
    octal(digits === undefined ? sign.charCodeAt(0) : Number(digits)),
  )

/** Data or a name of Route 53, in master-file form. */
export const fromOctal = (text: string): string =>
  text.replace(/\\(?:([0-3][0-7]{2})|[^])/g, (all, digits?: string) =>
    digits === undefined ? all : `\\${String(Number.parseInt(digits, 8)).padStart(3, '0')}`,
  )

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`

/** Data in Route 53's spelling for that type. */
export const spell: Spell = (type) => ({
  read: (rdata) => typeOf(type).read(fromOctal(rdata)),
  write: (value) => toOctal(typeOf(type).write(value)),
})

/** A canonical name as Route 53 has it, with its final dot. */
export const writeZoneName = (name: string): string => toOctalName(writeName(name))

export const writeOwner = (name: string, zone: Zone): string => writeZoneName(absoluteName(name, zone.name))

/** Relative to the zone; null: it is not in the zone. */
function ownerOf({ Name }: RawSet, zone: Zone): string | null {
  const name = readName(fromOctal(Name))
  return name === null ? null : relativeName(name, zone.name)
}

export const valuesOf = ({ ResourceRecords: records }: RawSet): string[] =>
  (records?.ResourceRecord ?? []).map(({ Value }) => Value)

export const withValues = (values: readonly string[]) => ({
  ResourceRecord: values.map((Value) => ({ Value })),
})

/** Describes to users how Route 53 chooses among several sets. */
function routingOf({ SetIdentifier, Weight, Region, GeoLocation, Failover }: RawSet): Routing | null {
  if (SetIdentifier === undefined) return null
  const place = GeoLocation === undefined ? Region : Object.values(GeoLocation).join(' ')
  return {
    key: SetIdentifier,
    setIdentifier: SetIdentifier,
    ...(Weight !== undefined && { weight: Number(Weight) }),
    ...(place !== undefined && { region: place }),
    ...(Failover !== undefined && { line: Failover }),
  }
}

function extraOf(raw: RawSet): Record<string, JsonValue> | null {
  const all = raw as Record<string, JsonValue | undefined>
  const found = EXTRA.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]] as const]))
  return found.length === 0 ? null : Object.fromEntries(found)
}

/** A set to create, without TTL and records, with the routing of the edit. */
export function newSet({ name, type, routing, extra }: SetWrite<string, RawSet>, zone: Zone): RawSet {
  const rest = isObject(extra) ? extra : {}
  const { setIdentifier, key, weight, region } = routing ?? {}
  const identifier = setIdentifier ?? key
  return {
    Name: writeOwner(name, zone),
    Type: type,
    ...(identifier !== undefined && { SetIdentifier: identifier }),
    ...(weight !== undefined && { Weight: String(weight) }),
    ...(region !== undefined && !('GeoLocation' in rest) && { Region: region }),
    ...rest,
  }
}

/** The set in our terms; null: it is not in the zone. */
export function toSet(raw: RawSet, zone: Zone): ListedSet | null {
  const name = ownerOf(raw, zone)
  if (name === null) return null
  const { Type: type, TTL: ttl = 0, AliasTarget: alias } = raw
  const [values, routing, extra] = [plainValues(valuesOf(raw)), routingOf(raw), extraOf(raw)]
  const others = { ...(extra && { extra }), ...(alias && { instead: aliasText(raw, alias) }) }
  return { name, type, ttl: Number(ttl), values, routing, ...others }
}

function aliasText(
  { SetIdentifier }: RawSet,
  { HostedZoneId, DNSName, EvaluateTargetHealth }: NonNullable<RawSet['AliasTarget']>,
): string {
  const health = EvaluateTargetHealth === 'true' ? ', with its health' : ''
  const set = SetIdentifier === undefined ? '' : `, set ${SetIdentifier}`
  return `ALIAS ${DNSName} (hosted zone ${HostedZoneId}${health}${set})`
}
