/** Which types a zone has at which name; names as records have them (`@`, `www`). */
export type ZoneTypes = ReadonlyMap<string, ReadonlySet<string>>

export function typesByName(records: readonly { name: string; recordType: string }[]): ZoneTypes {
  const types = new Map<string, Set<string>>()
  for (const { name, recordType } of records) {
    const own = types.get(name)
    if (own) own.add(recordType)
    else types.set(name, new Set([recordType]))
  }
  return types
}

/** The full name of one of the zone. */
export const fullName = (name: string, domain: string) => (name === '@' ? domain : `${name}.${domain}`)

/** The name in the zone of a full name, with or without its final dot; null: it is elsewhere. */
export function nameWithin(full: string, domain: string): string | null {
  const name = full.trim().toLowerCase().replace(/\.$/, '')
  if (name === domain) return '@'
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : null
}
