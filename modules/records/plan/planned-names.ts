import { isDeepStrictEqual } from 'node:util'
import { rrsetKey, type RRsetKey } from '../../../dns/names/rrset.ts'
import type { RecordContent, RecordState, Step } from './change.ts'

/** A record while the plan is made: what it was, what it will be, and which request is to blame. */
export interface Working {
  state: RecordState
  before: RecordContent | null
  index: number | null
}

/** The records of one RRset, as the requests so far leave them. */
class PlannedRRset {
  readonly type: string
  readonly members = new Set<Working>()
  readonly #served = new Set<Working>()
  readonly #byValue = new Map<string, Set<Working>>()
  readonly #ttls = new Set<number | null>()
  /** What a request made the TTL of all (RFC 2181 section 5.2), and which; null: none did. */
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

  /** One that is served, other than that one. */
  served(except: Working | null): Working | undefined {
    return firstOther(this.#served, except)
  }

  /** One with that value, other than that one. */
  equal(value: string, except: Working | null): Working | undefined {
    return firstOther(this.#byValue.get(value) ?? [], except)
  }

  /** The TTL that who joins takes; undefined when there is nobody to join. */
  ttl(except: string | undefined): number | null | undefined {
    const other = firstOther(this.members, except)
    return other && (this.aligned === null ? other.state.ttl : this.aligned.ttl)
  }

  /** Whether one of them has, or had, that TTL. */
  hasTtl(ttl: number | null): boolean {
    return this.#ttls.has(ttl)
  }
}

/** At most two are looked at. */
function firstOther(
  some: Iterable<Working>,
  except: Working | string | null | undefined,
): Working | undefined {
  for (const working of some) if (working !== except && working.state.id !== except) return working
  return undefined
}

/** The records of all names that a plan concerns; everything is found in a time that does not grow with them. */
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

  /** One record of each RRset that the name has; `served`: of those that are served. */
  ofEachRRset(
    name: string,
    { except = null, served = false }: { except?: Working | null; served?: boolean } = {},
  ) {
    return [...(this.#names.get(name)?.values() ?? [])].flatMap((rrset) => {
      const one = served ? rrset.served(except) : firstOther(rrset.members, except)
      return one ? [one.state] : []
    })
  }

  /** Gives the RRsets the TTLs that requests made theirs; answers a request to blame for each that had another. */
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

/** Whether the plan has changed anything of it. */
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
