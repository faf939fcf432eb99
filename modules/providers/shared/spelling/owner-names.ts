import { relativeName } from '../../../../dns/names/names.ts'
import { readName } from '../../../../dns/wire/wire-name.ts'
import type { Zone } from '../../contract.ts'

/* How providers write the owner names of records. */

/** A name relative to the zone, where the provider has an empty one for the apex. */
export const emptyAtApex = (name: string): string => (name === '@' ? '' : name)

/** An absolute name relative to the zone; null: it is not in the zone. */
export function ownerOf(absolute: string, zone: Zone): string | null {
  const name = readName(absolute)
  return name === null ? null : relativeName(name, zone.name)
}

/** The name of an SRV in parts (RFC 2782). */
export interface ServiceName {
  /** With their underscores. */
  service: string
  protocol: string
  /** The rest, relative to the zone; `@` for the apex. */
  name: string
}

/** Null: the name does not have both. */
export function splitService(owner: string): ServiceName | null {
  const [, service, protocol, name = '@'] = /^(_[^.]+)\.(_[^.]+)(?:\.(.+))?$/.exec(owner) ?? []
  return service === undefined || protocol === undefined ? null : { service, protocol, name }
}

export const joinService = ({ service, protocol, name }: ServiceName): string =>
  [service, protocol, ...(name === '@' || name === '' ? [] : [name])].join('.')
