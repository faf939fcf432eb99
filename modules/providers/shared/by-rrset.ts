import { rrsetKey, type RRsetKey } from '../../../dns/names/rrset.ts'
import type { RecordType } from '../../../dns/types/index.ts'
import type { AdapterContext, ChangeOutcome, DnsAdapter, RRsetEdit, Unfinished, Zone } from '../contract.ts'
import type { Account } from './define-provider.ts'
import { allDone, editedSet, NO_SET, type HeldSet, type Spell } from './edited-set.ts'
import { hasInstead, toPage, toRRset, type ListedSet } from './listed-sets.ts'
import { readEach, whileOutdated } from './outdated.ts'
import { pagesOf, zoneMethods, type Pages, type ZoneCalls } from './zone-calls.ts'

export type SetKey = RRsetKey & { type: RecordType }

/** An RRset that is to be written. */
export interface SetWrite<D, Raw> extends Pick<RRsetEdit, 'name' | 'type' | 'routing' | 'extra'> {
  ttl: number | null
  /** All values as they shall be; none: the set is to be deleted. */
  values: HeldSet<D>['values']
  /** The same without comments. */
  rdata: readonly D[]
  /** As it is; null: it is to be created. */
  held: ListedSet<D> | null
  raw: Raw | null
}

interface ReadCalls<C, A, Raw, D> extends ZoneCalls<C, A> {
  /** All sets of the zone; with `only`, at least those of that name and type. */
  listSets(api: A, zone: Zone, only?: SetKey): Pages<Raw>
  /** One set, or null. Missing: looks for it in `listSets`. */
  readSet?(api: A, zone: Zone, key: SetKey): Promise<Raw | null>
  /** A set in our terms; null: it is not in the zone. */
  toSet(raw: Raw, zone: Zone): ListedSet<D> | null
  /** How the provider spells data. */
  spell(zone: Zone): Spell<D>
  /** Data of a set that is not managed, as users see it. Missing: as it is. */
  show?: (rdata: D) => string
  /** Nothing was written because others changed the set in the meantime. */
  isOutdated?(error: unknown): boolean
}

/** Of a provider that takes one set a call. */
interface SingleWrites<A, Raw, D> {
  /** Answers ids of what the provider goes on with. */
  writeSet(api: A, zone: Zone, write: SetWrite<D, Raw>): Promise<readonly string[] | void>
}

/** Of a provider that takes all sets in one transaction. */
interface JointWrites<A, Raw, D> {
  /** Answers the id of what the provider goes on with. */
  writeSets(api: A, zone: Zone, writes: readonly SetWrite<D, Raw>[]): Promise<string | null | void>
  /** Sets on one page of a list: tells when it takes fewer calls to read sets alone. */
  pageSize: number
}

/** What the shape needs to know of a provider that holds RRsets. */
export type SetCalls<C, A, Raw, D> = ReadCalls<C, A, Raw, D> &
  (SingleWrites<A, Raw, D> | JointWrites<A, Raw, D>)

/** An adapter of a provider that holds RRsets and replaces them whole. */
export const byRRset =
  <C, A extends { context: AdapterContext }, Raw, D = string>(calls: SetCalls<C, A, Raw, D>) =>
  (account: Account<C>): DnsAdapter => {
    const api = calls.api(account)
    const readPages = (zone: Zone, only?: SetKey) => pagesOf(calls.listSets(api, zone, only), api.context)
    const readRaw = async (zone: Zone, key: SetKey): Promise<Raw | null> => {
      if (calls.readSet !== undefined) return await calls.readSet(api, zone, key)
      for await (const page of readPages(zone, key)) {
        const found = page.find((raw) => isOf(calls.toSet(raw, zone), key))
        if (found !== undefined) return found
      }
      return null
    }
    const editRaw = (zone: Zone, edit: RRsetEdit, raw: Raw | null): SetWrite<D, Raw> | null => {
      const held = raw === null ? null : calls.toSet(raw, zone)
      const wanted = editedSet(edit, held ?? NO_SET, calls.spell(zone))
      if (wanted === null) return null
      if (held?.instead !== undefined) throw hasInstead(account.provider, held)
      const { name, type, routing = null, extra } = edit
      const rdata = wanted.values.map((value) => value.rdata)
      return { name, type, routing, ...(extra !== undefined && { extra }), ...wanted, rdata, held, raw }
    }
    const isOutdated = (error: unknown) => calls.isOutdated?.(error) === true
    return {
      ...zoneMethods(api, calls),
      async *listRRsets(zone) {
        for await (const page of readPages(zone)) {
          const sets = page.flatMap((raw) => calls.toSet(raw, zone) ?? [])
          yield toPage(sets, calls.spell(zone), calls.show)
        }
      },
      async readRRset(zone, name, type, routing = null) {
        const raw = await readRaw(zone, { name, type, routing })
        const set = raw === null ? null : calls.toSet(raw, zone)
        return set && toRRset(set, calls.spell(zone))
      },
      async apply(zone, edits) {
        const changes: string[] = []
        if ('writeSets' in calls) {
          const change = await whileOutdated(async () => {
            const held = await readEach(edits, {
              pages: Math.ceil((zone.size ?? 0) / calls.pageSize),
              one: (edit) => readRaw(zone, edit),
              all: () => readPages(zone),
              keyOf: (raw) => calls.toSet(raw, zone),
            })
            const writes = edits.flatMap((edit, at) => editRaw(zone, edit, held[at] ?? null) ?? [])
            return writes.length === 0 ? null : await calls.writeSets(api, zone, writes)
          }, isOutdated)
          if (change) changes.push(change)
        } else {
          for (const edit of edits) {
            const begun = await whileOutdated(async () => {
              const write = editRaw(zone, edit, await readRaw(zone, edit))
              return write === null ? [] : await calls.writeSet(api, zone, write)
            }, isOutdated)
            changes.push(...(begun ?? []))
          }
        }
        return withUnfinished(edits, changes)
      },
      ...calls.others?.(api),
    }
  }

const isOf = (set: RRsetKey | null, key: RRsetKey): boolean => set !== null && rrsetKey(set) === rrsetKey(key)

const withUnfinished = (
  edits: readonly RRsetEdit[],
  changes: readonly string[],
): ChangeOutcome[][] | Unfinished => {
  const outcomes = allDone(edits)
  return changes.length === 0 ? outcomes : { outcomes, change: changes.join(' ') }
}
