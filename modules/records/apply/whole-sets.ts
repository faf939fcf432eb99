import { isDeepStrictEqual } from 'node:util'
import { rrsetKey } from '../../../dns/names/rrset.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { conflict, forbidden, invalid } from '../../../plugins/http/errors.ts'
import {
  mayChange,
  recordScopeOf,
  requireDomain,
  seesRecord,
  type GrantedDomain,
  type RecordScope,
} from '../../domains/access/access.ts'
import { adoptSets } from '../sync/adoption.ts'
import type { RecordContext } from '../context.ts'
import { planOutdated } from '../errors.ts'
import type { ExactSet, RequestedChange, SetKey } from '../plan/change.ts'
import { ownersIn, readOwner, readValue } from '../plan/input.ts'
import type { RecordRow } from '../list/mapper.ts'
import type { ChangeIntent } from '../plan/intent.ts'
import { recordsOfNames } from '../list/queries.ts'
import { mayNotWrite } from '../plan/plan.ts'

/** A change that sets all values of a name and type. */
export interface SetChange {
  action: 'set'
  recordType: RecordType
  name: string
  /** None: the RRset is deleted. */
  values: string[]
  /** Values that are kept without being published. Given, disabled records are replaced as well; missing: they stay. */
  disabled?: string[]
  /** Seconds; by default the current or usual TTL. Null: the provider chooses. */
  ttl?: number | null
  /** Of all its records; by default they keep theirs. */
  comment?: string
}

/** Changes expanded to requests for single records. */
export interface Expanded {
  requests: RequestedChange[]
  /** Position of the change that each request belongs to. */
  origins: number[]
  /** RRsets that are written whole, with the records they had. */
  exact: ExactSet[]
}

/**
 * Expands each `set` to the creates, updates and deletes it takes. Values that only the provider holds are stored first, so
 * that they are replaced as well; disabled records stay. Rejects with 409 for RRsets with routing. Names and values that are
 * not valid are refused later, when the requests are planned.
 */
export async function expandSets(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  changes: readonly (RequestedChange | SetChange)[],
): Promise<Expanded> {
  if (!changes.some(({ action }) => action === 'set')) {
    const requests = changes.filter((change) => change.action !== 'set')
    return { requests, origins: requests.map((_, index) => index), exact: [] }
  }
  const domain = await requireDomain(context.db, caller, domainId, 'read')
  const scope = recordScopeOf(domain, caller)
  const wanted = await readWanted(context, domain, scope, changes)
  const keys = [...wanted.values()].flatMap(({ key }) => (key && seesRecord(scope, key) ? [key] : []))
  await adoptSets(context, domain, keys)
  const names = keys.map(({ name }) => name)
  const rows = await recordsOfNames(context.db, domainId, names)
  const here = membersOf(rows.filter((row) => seesRecord(scope, row)))
  const exact = keys.map((key) => ({ ...key, records: versionsOf(here.get(rrsetKey(key))) }))
  for (const { key, change } of wanted.values()) {
    // Values are refused when they are planned; without values there may be nothing to plan.
    if (key && change.values.length === 0 && !mayChange(scope, key)) throw forbidden(mayNotWrite(key))
  }
  const expanded: Expanded = { requests: [], origins: [], exact }
  for (const [index, change] of changes.entries()) {
    const set = wanted.get(index)
    const held = set?.key ? here.get(rrsetKey(set.key)) : undefined
    const requests = change.action !== 'set' ? [change] : set ? requestsFor(set, held ?? []) : []
    expanded.requests.push(...requests)
    expanded.origins.push(...requests.map(() => index))
  }
  return expanded
}

/** Returns the names of RRsets whose records must be the same, also of those where nothing is to be done. */
export const namesOfExact = ({ exact }: Pick<ChangeIntent, 'exact'>): string[] =>
  exact === undefined || exact === 'zone' ? [] : exact.flatMap(({ name, records }) => (records ? [name] : []))

/**
 * Rejects with `plan_outdated` when an RRset that is written whole no longer has the records that the requests were made for;
 * one that was created since would stay beside the values that are set.
 */
export function requireSameMembers(records: readonly RecordRow[], exact: ChangeIntent['exact']): void {
  if (exact === undefined || exact === 'zone') return
  const here = membersOf(records)
  for (const { records: versions, ...key } of exact) {
    if (versions && !isDeepStrictEqual(versions, versionsOf(here.get(rrsetKey(key))))) throw planOutdated()
  }
}

/** Returns the records of each RRset. */
const membersOf = (rows: readonly RecordRow[]) =>
  Map.groupBy(
    rows.filter((row) => !row.deleting),
    ({ name, type }) => rrsetKey({ name, type }),
  )

const versionsOf = (rows: readonly RecordRow[] = []) =>
  Object.fromEntries(rows.map(({ id, version }) => [id, version]))

interface Wanted {
  /** Null: the name is not valid. */
  key: Pick<SetKey, 'name' | 'type'> | null
  /** As the caller gave it; planning reads it again. */
  change: SetChange
  /** Canonical values, each with the spelling it was given in and whether it is published. */
  values: Map<string, { value: string; enabled: boolean }>
}

/** Returns the RRsets to set, by the positions of their changes. */
async function readWanted(
  { db }: RecordContext,
  domain: GrantedDomain,
  scope: RecordScope,
  changes: readonly (RequestedChange | SetChange)[],
): Promise<Map<number, Wanted>> {
  const sets = [...changes.entries()].flatMap(([index, change]) =>
    change.action === 'set' ? [[index, change] as const] : [],
  )
  const owners = sets.flatMap(([, { name }]) => ownersIn(name, domain.name))
  const rows = await recordsOfNames(db, domain.id, [...new Set(owners)])
  const taken = new Set(rows.filter((row) => seesRecord(scope, row)).map(({ name }) => name))
  const seen = new Set<string>()
  const wanted = new Map<number, Wanted>()
  for (const [index, change] of sets) {
    const owner = readOwner(null, change.name, domain.name, (name) => taken.has(name))
    const given = [
      ...change.values.map((value) => ({ value, enabled: true })),
      ...(change.disabled ?? []).map((value) => ({ value, enabled: false })),
    ]
    const values = given.map((one) => {
      const read = readValue(null, change.recordType, { value: one.value })
      return [read.ok ? read.value : one.value, one] as const
    })
    const key = owner.ok ? { name: owner.name, type: change.recordType } : null
    if (key && seen.has(rrsetKey(key))) {
      const message = 'names an RRset that another change sets as well'
      throw invalid({ path: `/changes/${index}/name`, code: 'duplicate', message })
    }
    if (key) seen.add(rrsetKey(key))
    wanted.set(index, { key, change, values: new Map(values) })
  }
  return wanted
}

/** Replaces old values by new ones in place where possible, so that records keep their ids and comments. */
function requestsFor({ change, values }: Wanted, rows: readonly RecordRow[]): RequestedChange[] {
  const routed = rows.find(({ routing }) => routing !== null)
  if (routed) {
    const { name, type } = routed
    throw conflict(`${name} ${type} has several RRsets by routing; change its records one by one`, {
      reason: 'conflict',
      params: { name, recordType: type },
    })
  }
  const shared = {
    ...(change.ttl !== undefined && { ttl: change.ttl }),
    ...(change.comment !== undefined && { comment: change.comment }),
  }
  const missing = new Map(values)
  const stays = rows.filter(({ value }) => missing.delete(value))
  const goes = rows.filter((row) => (row.enabled || change.disabled !== undefined) && !stays.includes(row))
  const comes = [...missing.values()]
  const spare = goes.slice(0, comes.length)
  const isPublished = ({ value }: RecordRow) => values.get(value)?.enabled ?? true
  const same = (row: RecordRow) =>
    row.enabled === isPublished(row) && isDeepStrictEqual({ ...row, ...shared }, row)
  return [
    ...goes.slice(spare.length).map(({ id }): RequestedChange => ({ action: 'delete', recordId: id })),
    ...stays
      .filter((row) => !same(row))
      .map((row): RequestedChange => {
        return { action: 'update', recordId: row.id, enabled: isPublished(row), ...shared }
      }),
    ...spare.map(({ id }, at): RequestedChange => {
      const coming = comes[at] as { value: string; enabled: boolean }
      return { action: 'update', recordId: id, ...coming, ...shared }
    }),
    ...comes.slice(spare.length).map(({ value, enabled }): RequestedChange => {
      const { recordType, name } = change
      return { action: 'create', recordType, name, value, ...(!enabled && { enabled }), ...shared }
    }),
  ]
}
