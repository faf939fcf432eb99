import { LRUCache } from 'lru-cache'
import { rrsetKey } from '../../../../dns/names/rrset.ts'
import type { ApiClient } from '../../client/client.ts'
import type { Zone } from '../../contract.ts'
import type { RawRRset, ZoneAnswer } from './raw-data.ts'

/*
 * Disabled records of large zones. Before 5.0, PowerDNS shows them only with the whole zone. They are remembered while
 * the zone has the serial that our last write gave it: then nobody else has written.
 */

interface KnownZone {
  serial: number
  /** RRsets with disabled records, and only these records of them; by `rrsetKey`. */
  disabled: ReadonlyMap<string, RawRRset>
  /** A write has raised this serial. Before that it is unknown whether the backend reports the real one. */
  isProven: boolean
  /** Milliseconds since 1970. */
  until: number
}

// Bounds how long a change is overlooked that left the serial unchanged, such as one in the database.
const KNOWN_MS = 10 * 60 * 1000
// Less than 1 kB each, unless they have disabled records.
const MAX_ZONES = 1_000
const MAX_RRSETS = 1_000

const newZones = () => ({ known: new LRUCache<string, KnownZone>({ max: MAX_ZONES }) })

const zonesOf = (api: ApiClient) => api.context.state(newZones).known

/** Remembers the disabled records of a zone that was just read completely. */
export function rememberDisabled(api: ApiClient, zone: Zone, { serial, rrsets }: ZoneAnswer): void {
  const disabled = new Map<string, RawRRset>()
  for (const rrset of rrsets) {
    const records = rrset.records.filter((record) => record.disabled)
    if (records.length > 0) disabled.set(rrsetKey(rrset), { ...rrset, records })
  }
  if (serial === null || disabled.size > MAX_RRSETS) return forgetDisabled(api, zone)
  const until = api.context.clock.now() + KNOWN_MS
  zonesOf(api).set(zone.id, { serial, disabled, isProven: false, until })
}

/** The disabled records of the zone, as long as it has this serial; null: they are unknown. */
export function knownDisabled(api: ApiClient, zone: Zone): Pick<KnownZone, 'serial' | 'disabled'> | null {
  const known = zonesOf(api).get(zone.id)
  return known?.isProven === true && api.context.clock.now() < known.until ? known : null
}

/** To be called after each write. `serial`: the one that the zone has since; NaN: unknown. */
export function noteWrite(
  api: ApiClient,
  zone: Zone,
  serial: number,
  written: readonly (Pick<RawRRset, 'name' | 'type'> & Partial<RawRRset>)[],
): void {
  const known = zonesOf(api).get(zone.id)
  if (known === undefined) return
  // A larger step includes the write of somebody else. PowerDNS may spell a record differently than it was sent.
  const isDisabling = written.some(({ records = [] }) => records.some((record) => record.disabled))
  if (serial !== known.serial + 1 || isDisabling) return forgetDisabled(api, zone)
  const disabled = new Map(known.disabled)
  for (const rrset of written) disabled.delete(rrsetKey(rrset))
  zonesOf(api).set(zone.id, { ...known, serial, disabled, isProven: true })
}

/** To be called after a write that failed: its outcome may be unknown. */
export function forgetDisabled(api: ApiClient, zone: Zone): void {
  zonesOf(api).delete(zone.id)
}

/** The RRset with the known disabled records in addition to those that a filtered answer contains. */
export function withDisabled(found: RawRRset | null, known: RawRRset | undefined): RawRRset | null {
  if (known === undefined) return found
  if (found === null) return known
  const contents = new Set(found.records.map(({ content }) => content))
  const others = known.records.filter(({ content }) => !contents.has(content))
  const ttl = found.records.length === 0 ? known.ttl : found.ttl
  return { ...found, ttl, records: [...found.records, ...others] }
}
