import { rrsetKey } from '../../../../dns/names/rrset.ts'
import { absoluteName } from '../../../../dns/names/names.ts'
import type { RecordType } from '../../../../dns/types/index.ts'
import { RCODE } from '../../../../dns/wire/message.ts'
import { mayChange, seesRecord, type RecordScope } from '../../../domains/access/access.ts'
import type { RecordRow, RequestedChange } from '../../../records/service.ts'
import { Refused } from '../refusal.ts'
import type { Prerequisite, Update, UpdateRequest } from './sections.ts'

interface Zone {
  name: string
  scope: RecordScope
  /** The TTL that the provider stores for one; undefined if it takes none. */
  ttlFor: (ttl: number) => number | undefined
}

/** An RRset while the updates are applied to it, one after another. */
interface WorkingSet {
  name: string
  type: RecordType
  /** Served records by value. */
  before: Map<string, RecordRow>
  /** Records that are kept without being served. */
  disabled: Map<string, RecordRow>
  after: Set<string>
  /** As set by the last added record. */
  ttl: number | null
}

/**
 * Decides what an update comes to for the records of its names: first the prerequisites, then the updates in their order
 * (RFC 2136 sections 3.2 and 3.4.2). Disabled records and those that the caller doesn't see do not exist for it. Throws
 * Refused with the RCODE of the first prerequisite that doesn't hold.
 */
export function decide(
  { prerequisites, updates }: Pick<UpdateRequest, 'prerequisites' | 'updates'>,
  rows: readonly RecordRow[],
  zone: Zone,
): RequestedChange[] {
  const there = rows.filter((row) => !row.deleting)
  const seen = there.filter((row) => seesRecord(zone.scope, row))
  for (const prerequisite of prerequisites) {
    const rcode = unmet(prerequisite, seen)
    if (rcode !== null) throw new Refused(rcode, `prerequisite ${prerequisite.kind} ${prerequisite.name}`)
  }
  const sets = new WorkingSets(seen)
  for (const update of updates) {
    if (update.kind === 'delete_name') requireAll(update.name, there, zone.scope)
    sets.apply(update)
  }
  return sets.changes(zone)
}

/** Returns the RCODE of a prerequisite that doesn't hold. */
function unmet(prerequisite: Prerequisite, rows: readonly RecordRow[]): number | null {
  const { name } = prerequisite
  const here = rows.filter((row) => row.name === name && row.enabled)
  const isInUse = here.length > 0 || name === '@'
  if (!('type' in prerequisite)) {
    if (prerequisite.kind === 'name_in_use') return isInUse ? null : RCODE.NXDOMAIN
    return isInUse ? RCODE.YXDOMAIN : null
  }
  const { type } = prerequisite
  const values = here.filter((row) => row.type === type).map(({ value }) => value)
  const exists = values.length > 0 || (type === 'SOA' && name === '@')
  if (prerequisite.kind === 'rrset_exists') return exists ? null : RCODE.NXRRSET
  if (prerequisite.kind === 'rrset_missing') return exists ? RCODE.YXRRSET : null
  const wanted = new Set(prerequisite.values)
  const isSame = wanted.size === values.length && values.every((value) => wanted.has(value))
  return isSame && exists ? null : RCODE.NXRRSET
}

/** Throws Refused if something at the name would stay because the caller may not change it. */
function requireAll(name: string, rows: readonly RecordRow[], scope: RecordScope): void {
  const isKept = (row: RecordRow) => isApexNs(row) || mayChange(scope, row)
  if (rows.every((row) => row.name !== name || !row.enabled || isKept(row))) return
  throw new Refused(RCODE.REFUSED, `the key may not change all RRsets of ${name}`)
}

const isApexNs = ({ name, type }: { name: string; type: string }) => name === '@' && type === 'NS'

/** Types that allow a single record per name: a new one replaces it. */
const SINGLE: ReadonlySet<string> = new Set(['CNAME', 'DNAME'])

class WorkingSets {
  readonly #sets = new Map<string, WorkingSet>()
  readonly #routed: readonly RecordRow[]

  constructor(rows: readonly RecordRow[]) {
    this.#routed = rows.filter(({ routing }) => routing !== null)
    for (const row of rows) {
      if (row.routing !== null) continue
      const set = this.#set(row)
      if (!row.enabled) set.disabled.set(row.value, row)
      else {
        set.before.set(row.value, row)
        set.after.add(row.value)
      }
    }
  }

  /** RFC 2136 section 3.4.2, with what it says to ignore. */
  apply(update: Update): void {
    const { kind, name } = update
    const isMeant = (row: RecordRow) => row.name === name && (!('type' in update) || update.type === row.type)
    if (this.#routed.some(isMeant)) throw new Refused(RCODE.REFUSED, `${name} has several RRsets by routing`)
    if (kind === 'delete_name') {
      for (const set of this.#ofName(name)) if (!isApexNs(set)) set.after.clear()
      return
    }
    const set = this.#set(update)
    if (kind === 'add') this.#add(set, update)
    else if (kind === 'delete_value') {
      const isLast = set.after.size === 1 && set.after.has(update.value)
      if (!(isApexNs(set) && isLast)) set.after.delete(update.value)
    } else if (!isApexNs(set)) set.after.clear()
  }

  #add(set: WorkingSet, { name, type, value, ttl }: Update & { kind: 'add' }): void {
    const others = this.#ofName(name).filter((other) => other !== set && other.after.size > 0)
    const isAlone = type === 'CNAME' ? others.length === 0 : others.every((other) => other.type !== 'CNAME')
    if (!isAlone) return
    if (SINGLE.has(type)) set.after.clear()
    set.after.add(value)
    set.ttl = ttl
  }

  /** Returns the changes in which the sets before and after differ. */
  changes(zone: Zone): RequestedChange[] {
    return [...this.#sets.values()].flatMap((set) => changesOf(set, zone))
  }

  #ofName(name: string): WorkingSet[] {
    return [...this.#sets.values()].filter((set) => set.name === name)
  }

  #set({ name, type }: { name: string; type: RecordType }): WorkingSet {
    const key = rrsetKey({ name, type })
    let set = this.#sets.get(key)
    if (!set) {
      set = { name, type, before: new Map(), disabled: new Map(), after: new Set(), ttl: null }
      this.#sets.set(key, set)
    }
    return set
  }
}

/** Old values are replaced in place where possible, so that records keep their ids and comments. */
function changesOf(
  { name, type, before, disabled, after, ttl: wanted }: WorkingSet,
  { name: zone, ttlFor }: Zone,
): RequestedChange[] {
  const ttl = wanted === null ? undefined : ttlFor(wanted)
  const given = ttl === undefined ? {} : { ttl }
  const changes: RequestedChange[] = []
  const spare = [...before.values()].filter(({ value }) => !after.has(value))
  for (const value of after) {
    const row = before.get(value)
    const kept = disabled.get(value)
    if (row) {
      // The TTL of a proxied record is that of the proxy.
      if (ttl !== undefined && row.ttl !== ttl && !row.proxied)
        changes.push({ action: 'update', recordId: row.id, ttl })
    } else if (kept) changes.push({ action: 'update', recordId: kept.id, enabled: true, ...given })
    else {
      const old = spare.shift()
      changes.push(
        old
          ? { action: 'update', recordId: old.id, value, ...(old.proxied ? {} : given) }
          : { action: 'create', recordType: type, name: `${absoluteName(name, zone)}.`, value, ...given },
      )
    }
  }
  return [...changes, ...spare.map(({ id }) => ({ action: 'delete' as const, recordId: id }))]
}
