import type { RequestedChange, RecordRow } from '../../records/service.ts'
import { inNetwork, type Addresses, type AddressType } from './addresses.ts'
import type { Host } from './hosts.ts'

/** The addresses the host should have; a family without addresses is left unchanged. */
export function wantedOf(
  { suffix }: Host,
  type: AddressType,
  { A, AAAA, prefix }: Addresses,
  current: readonly RecordRow[],
): readonly string[] {
  if (type === 'A') return A
  if (suffix !== null) return prefix ? [inNetwork(prefix, suffix)] : []
  if (AAAA.length > 0 || !prefix) return AAAA
  const held = current.filter(({ enabled }) => enabled)
  return [...new Set(held.map(({ value }) => inNetwork(prefix, value)))]
}

/**
 * Returns the changes that give a host exactly the wanted addresses. Existing records are updated first, to keep their TTL and
 * comment. Null if the addresses are in routed RRsets, for which an address alone is ambiguous.
 */
export function requestsFor(
  current: readonly RecordRow[],
  { name, type }: { /** Full. */ name: string; type: AddressType },
  wanted: readonly string[],
  ttl: number | undefined,
): RequestedChange[] | null {
  if (wanted.length === 0) return []
  if (current.some(({ routing }) => routing !== null)) return null
  const requests: RequestedChange[] = []
  const missing = new Set(wanted)
  const spare: RecordRow[] = []
  for (const record of current) {
    const { id: recordId, value, enabled } = record
    if (missing.delete(value)) {
      if (!enabled) requests.push({ action: 'update', recordId, enabled: true })
    } else if (enabled) spare.push(record)
  }
  for (const value of missing) {
    const record = spare.shift()
    requests.push(record ? { action: 'update', recordId: record.id, value } : create(value))
  }
  return [...requests, ...spare.map(({ id }) => ({ action: 'delete' as const, recordId: id }))]

  function create(value: string): RequestedChange {
    // A new record takes the TTL of the existing ones.
    const own = current.length > 0 || ttl === undefined ? {} : { ttl }
    return { action: 'create', recordType: type, name: `${name}.`, value, ...own }
  }
}

/** Returns the changes that delete these records; null if they are in routed RRsets, as above. */
export const deletesFor = (current: readonly RecordRow[]): RequestedChange[] | null =>
  current.some(({ routing }) => routing !== null)
    ? null
    : current.map(({ id }) => ({ action: 'delete' as const, recordId: id }))
