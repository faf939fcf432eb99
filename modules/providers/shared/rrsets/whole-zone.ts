import { rrsetKey } from '../../../../dns/names/rrset.ts'
import type { AdapterContext, DnsAdapter, RRsetEdit, Zone } from '../../contract.ts'
import type { Account } from '../define-provider.ts'
import { allDone, editedSet, NO_SET, type Spell } from './edited-set.ts'
import { toPage, toRRset, type ListedSet } from './listed-sets.ts'
import { pagesOf, zoneMethods, type ZoneCalls } from '../zone-calls.ts'

/** What the shape needs to know about a provider that reads and writes whole zones. */
export interface WholeZoneCalls<C, A, Raw, Z extends { records: readonly Raw[] }> extends ZoneCalls<C, A> {
  /** All records of the zone, and other data that a write must repeat. */
  readZone(api: A, zone: Zone): Promise<Z>
  /** The records as RRsets; each value is a record. */
  toSets(records: readonly Raw[], zone: Zone): ListedSet<Raw>[]
  /** How the provider spells data, in a record that has no name and TTL yet. */
  spell: Spell<Raw>
  /** A record with the name, type and TTL of its set. */
  withOwner(record: Raw, owner: { name: string; type: string; ttl: number | null }): Raw
  /** Unmanaged data as text for users. */
  show: (record: Raw) => string
  /** Replaces all records of the zone. */
  writeZone(api: A, zone: Zone, wanted: Z, edits: readonly RRsetEdit[]): Promise<unknown>
}

/** An adapter of a provider that reads and writes whole zones. */
export const wholeZone =
  <C, A extends { context: AdapterContext }, Raw, Z extends { records: readonly Raw[] }>(
    calls: WholeZoneCalls<C, A, Raw, Z>,
  ) =>
  (account: Account<C>): DnsAdapter => {
    const api = calls.api(account)
    const read = async (zone: Zone): Promise<Z> => {
      const held = await calls.readZone(api, zone)
      for await (const _ of pagesOf(Promise.resolve(held.records), api.context)) return held
      return held
    }
    return {
      ...zoneMethods(api, calls),
      async *listRRsets(zone) {
        const { records } = await read(zone)
        yield toPage(calls.toSets(records, zone), calls.spell, calls.show)
      },
      async readRRset(zone, name, type, routing = null) {
        const { records } = await read(zone)
        const key = rrsetKey({ name, type, routing })
        const set = calls.toSets(records, zone).find((one) => rrsetKey(one) === key)
        return set === undefined ? null : toRRset(set, calls.spell)
      },
      async apply(zone, edits) {
        if (edits.length === 0) return []
        const held = await read(zone)
        const records = editedRecords(calls, held.records, zone, edits)
        if (records !== null) await calls.writeZone(api, zone, { ...held, records }, edits)
        return allDone(edits)
      },
      ...calls.others?.(api),
    }
  }

/** All records after the edits; null if nothing changes. Records that no edit concerns keep their spelling. */
function editedRecords<Raw>(
  {
    toSets,
    spell,
    withOwner,
  }: Pick<WholeZoneCalls<never, never, Raw, never>, 'toSets' | 'spell' | 'withOwner'>,
  records: readonly Raw[],
  zone: Zone,
  edits: readonly RRsetEdit[],
): Raw[] | null {
  const sets = new Map(toSets(records, zone).map((set) => [rrsetKey(set), set]))
  const gone = new Set<Raw>()
  const added: Raw[] = []
  let isSame = true
  for (const edit of edits) {
    const held = sets.get(rrsetKey(edit)) ?? NO_SET
    const wanted = editedSet(edit, held, spell)
    if (wanted === null) continue
    isSame = false
    for (const { rdata } of held.values) gone.add(rdata)
    const owner = { name: edit.name, type: edit.type, ttl: wanted.ttl }
    added.push(...wanted.values.map(({ rdata }) => withOwner(rdata, owner)))
  }
  return isSame ? null : [...records.filter((one) => !gone.has(one)), ...added]
}
