import { rrsetKey, type RRsetKey } from '../../../../dns/names/rrset.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import {
  halfDone,
  type AdapterContext,
  type ChangeOutcome,
  type DnsAdapter,
  type ProviderError,
  type RRsetEdit,
  type Soa,
  type Unfinished,
  type Zone,
} from '../../contract.ts'
import type { Account } from '../define-provider.ts'
import { allDone, DONE, editedSet, NO_SET, type HeldSet, type Spell } from './edited-set.ts'
import { hasInstead, toPage, toRRset, type ListedSet } from './listed-sets.ts'
import { readEach, whileOutdated } from './outdated.ts'
import { pagesOf, zoneMethods, type Pages, type ZoneCalls } from '../zone-calls.ts'

export type SetKey = RRsetKey & { type: RecordType }

/** An RRset to be written. */
export interface SetWrite<D, Raw> extends Pick<RRsetEdit, 'name' | 'type' | 'routing' | 'extra'> {
  ttl: number | null
  /** All values as wanted; none: the set is to be deleted. */
  values: HeldSet<D>['values']
  /** The same without comments. */
  rdata: readonly D[]
  /** The current set; null: it does not exist yet. */
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
  /** The SOA, if the set is one. Missing: `listSets` leaves it out. */
  soaOf?(raw: Raw): Soa | null
  /** How the provider spells data. */
  spell(zone: Zone): Spell<D>
  /** Unmanaged data as text for users. Missing: data is text already. */
  show?: (rdata: D) => string
  /** Nothing was written because others changed the set in the meantime. */
  isOutdated?(error: unknown): boolean
  /** Whether a change that was in progress is finished. */
  isFinished?: (api: A, zone: Zone, change: string) => Promise<boolean>
}

/** Writes of a provider that accepts one set per call. */
interface SingleWrites<A, Raw, D> {
  /** Returns ids of changes that are still in progress. */
  writeSet(api: A, zone: Zone, write: SetWrite<D, Raw>): Promise<readonly string[] | void>
}

/** What became of a transaction. */
export interface Written<D, Raw> {
  /** Ids of changes that are still in progress. */
  changes: readonly string[]
  /** Sets that did not fit into the transaction and were refused on their own. */
  failures?: ReadonlyMap<SetWrite<D, Raw>, ProviderError>
}

/** Writes of a provider that accepts all sets in one transaction. */
interface JointWrites<A, Raw, D> {
  writeSets: (api: A, zone: Zone, writes: readonly SetWrite<D, Raw>[]) => Promise<Written<D, Raw> | void>
  /** Sets per page of a list: tells whether reading sets alone takes fewer calls. Missing: reads them alone. */
  pageSize?: number
  /** Reads the sets, or null, in the fastest way. Missing: one by one, or the whole zone. */
  readSets?: (api: A, zone: Zone, keys: readonly SetKey[]) => Promise<(Raw | null)[]>
}

/** Writes of a provider that fit neither. */
interface OwnWrites<A> {
  apply(api: A, zone: Zone, edits: RRsetEdit[]): Promise<ChangeOutcome[][]>
}

/** What the shape needs to know of a provider that holds RRsets. */
export type SetCalls<C, A, Raw, D> = ReadCalls<C, A, Raw, D> &
  (SingleWrites<A, Raw, D> | JointWrites<A, Raw, D> | OwnWrites<A>)

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
    const { isFinished } = calls
    const readRaws = (zone: Zone, edits: readonly RRsetEdit[], pageSize = Infinity) =>
      readEach(edits, {
        pages: Math.ceil((zone.size ?? 0) / pageSize),
        one: (edit) => readRaw(zone, edit),
        all: () => readPages(zone),
        keyOf: (raw) => calls.toSet(raw, zone),
      })
    const writeTogether = async (
      zone: Zone,
      edits: readonly RRsetEdit[],
      { readSets, writeSets, pageSize }: JointWrites<A, Raw, D>,
    ) => {
      const held = await (readSets?.(api, zone, edits) ?? readRaws(zone, edits, pageSize))
      const writes = edits.map((edit, at) => editRaw(zone, edit, held[at] ?? null))
      const changed = writes.filter((write) => write !== null)
      const written = changed.length === 0 ? undefined : await writeSets(api, zone, changed)
      const outcomes = edits.map(({ changes }, at): ChangeOutcome[] => {
        const write = writes[at]
        const error = write ? written?.failures?.get(write) : undefined
        return changes.map(() => (error === undefined ? DONE : { ok: false, error }))
      })
      return withUnfinished(outcomes, written?.changes ?? [])
    }
    return {
      ...zoneMethods(api, calls),
      async *listRRsets(zone) {
        for await (const page of readPages(zone)) {
          const sets = page.flatMap((raw) => calls.toSet(raw, zone) ?? [])
          const soa = page.map((raw) => calls.soaOf?.(raw) ?? null).find((found) => found !== null)
          yield { ...toPage(sets, calls.spell(zone), calls.show), ...(soa && { soa }) }
        }
      },
      async readRRset(zone, name, type, routing = null) {
        const raw = await readRaw(zone, { name, type, routing })
        const set = raw === null ? null : calls.toSet(raw, zone)
        return set && toRRset(set, calls.spell(zone))
      },
      async apply(zone, edits) {
        if ('apply' in calls) return await calls.apply(api, zone, edits)
        if ('writeSets' in calls)
          return await whileOutdated(() => writeTogether(zone, edits, calls), isOutdated)
        const changes: string[] = []
        for (const edit of edits) {
          const begun = await whileOutdated(async () => {
            const write = editRaw(zone, edit, await readRaw(zone, edit))
            return write === null ? [] : await calls.writeSet(api, zone, write)
          }, isOutdated)
          changes.push(...(begun ?? []))
        }
        return withUnfinished(allDone(edits), changes)
      },
      ...(isFinished && { isFinished: (zone, ids) => allFinished(ids, (id) => isFinished(api, zone, id)) }),
      ...calls.others?.(api),
    }
  }

const isOf = (set: RRsetKey | null, key: RRsetKey): boolean => set !== null && rrsetKey(set) === rrsetKey(key)

const withUnfinished = (
  outcomes: ChangeOutcome[][],
  changes: readonly string[],
): ChangeOutcome[][] | Unfinished =>
  changes.length === 0 ? outcomes : { outcomes, change: changes.join(' ') }

async function allFinished(
  changes: string,
  isFinished: (change: string) => Promise<boolean>,
): Promise<boolean> {
  const all = changes.split(' ')
  for (const change of all) {
    try {
      if (!(await isFinished(change))) return false
    } catch (error) {
      throw all.length === 1 ? error : halfDone(error)
    }
  }
  return true
}
