import { isDeepStrictEqual } from 'node:util'
import { rrsetKey, type RRsetKey } from '../../../dns/names/rrset.ts'
import type { RecordContent, RecordState, Step } from './change.ts'

/** A record while the plan is made: before, after, and the position of the request that changes it. */
export interface Working {
  state: RecordState
  before: RecordContent | null
  index: number | null
}

/** The records of one RRset after the requests so far. */
class PlannedRRset {
  readonly type: string
  readonly members = new Set<Working>()
  readonly #served = new Set<Working>()
  readonly #byValue = new Map<string, Set<Working>>()
  readonly #ttls = new Set<number | null>()
  /** The TTL that a request set for all records (RFC 2181 section 5.2); null: none did. */
  aligned: { ttl: number | null; index: number } | null = null

  constructor(type: string) {
    this.type = type
  }

  add(working: Working): void {
    const { state } = working
    this.members.add(working)
    if (state.enabled) this.#served.add(working)
    this.#byValue.set(state.value, (this.#byValue.get(state.value) ?? new Set()).add(working))
    this.#ttls.add(state.ttl)
  }

  remove(working: Working): void {
    this.members.delete(working)
    this.#served.delete(working)
    this.#byValue.get(working.state.value)?.delete(working)
  }

  /** Returns an enabled record other than `except`. */
  served(except: Working | null): Working | undefined {
    return firstOther(this.#served, except)
  }

  /** Returns a record with that value other than `except`. */
  equal(value: string, except: Working | null): Working | undefined {
    return firstOther(this.#byValue.get(value) ?? [], except)
  }

  /** Returns the TTL that a joining record takes over; undefined if it is the first record. */
  ttl(except: string | undefined): number | null | undefined {
    const other = firstOther(this.members, except)
    return other && (this.aligned === null ? other.state.ttl : this.aligned.ttl)
  }

  /** Whether one of the records has or had that TTL. */
  hasTtl(ttl: number | null): boolean {
    return this.#ttls.has(ttl)
  }
}

/** Looks at most at two. */
function firstOther(
  some: Iterable<Working>,
  except: Working | string | null | undefined,
): Working | undefined {
  for (const working of some) if (working !== except && working.state.id !== except) return working
  return undefined
}

/** The records of all names that a plan concerns. Lookups take constant time. */
export class PlannedNames {
  readonly #names = new Map<string, Map<string, PlannedRRset>>()

  add(working: Working): void {
    this.rrset(working.state).add(working)
  }

  remove(working: Working): void {
    this.rrset(working.state).remove(working)
  }

  rrset(key: RRsetKey): PlannedRRset {
    const rrsets = this.#names.get(key.name) ?? new Map<string, PlannedRRset>()
    this.#names.set(key.name, rrsets)
    const rrset = rrsets.get(rrsetKey(key)) ?? new PlannedRRset(key.type)
    rrsets.set(rrsetKey(key), rrset)
    return rrset
  }

  /** Returns one record of each RRset of the name. `served`: only enabled ones. */
  ofEachRRset(
    name: string,
    { except = null, served = false }: { except?: Working | null; served?: boolean } = {},
  ) {
    return [...(this.#names.get(name)?.values() ?? [])].flatMap((rrset) => {
      const one = served ? rrset.served(except) : firstOther(rrset.members, except)
      return one ? [one.state] : []
    })
  }

  /** Gives all records of an RRset the TTL that a request set. Returns the RRsets in which this changed others. */
  alignTtls(): { index: number; name: string; type: string; ttl: number | null }[] {
    const changed = []
    for (const [name, rrsets] of this.#names) {
      for (const { type, aligned, members } of rrsets.values()) {
        if (aligned === null) continue
        const unequal = [...members].filter(({ state }) => state.ttl !== aligned.ttl)
        for (const { state } of unequal) state.ttl = aligned.ttl
        if (unequal.length > 0) changed.push({ ...aligned, name, type })
      }
    }
    return changed
  }
}

/** Whether the plan changes the record. */
export const isChanged = ({ state, before }: Working) =>
  before === null ||
  before.name !== state.name ||
  before.type !== state.type ||
  before.value !== state.value ||
  before.ttl !== state.ttl ||
  before.proxied !== state.proxied ||
  before.enabled !== state.enabled ||
  before.comment !== state.comment ||
  rrsetKey(before) !== rrsetKey(state) ||
  !isDeepStrictEqual(before.extra, state.extra)

export const toStep = ({ state, before, index }: Working, after: RecordContent | null): Step => ({
  index,
  action: before === null ? 'create' : after === null ? 'delete' : 'update',
  recordId: state.id,
  providerId: state.providerId,
  before,
  after,
})
