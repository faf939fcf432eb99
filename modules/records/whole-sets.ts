import { rrsetKey } from '../../dns/rrset.ts'
import type { RecordType } from '../../schemas/record-type.ts'
import type { Caller } from '../../plugins/access/index.ts'
import { conflict, invalid } from '../../plugins/errors.ts'
import { recordScopeOf, requireDomain, seesRecord } from '../domains/access.ts'
import { adoptSets, type SetKey } from './adoption.ts'
import type { RecordContext } from './apply.ts'
import type { ChangeRequest } from './change.ts'
import { ownersIn, readOwner, readValue } from './input.ts'
import type { RecordRow } from './mapper.ts'
import { recordsOfNames } from './queries.ts'

/** What the values of a name and type shall be, and no others. */
export interface SetChange {
  action: 'set'
  recordType: RecordType
  name: string
  /** At least one. */
  values: string[]
  /** Seconds; missing: as the set has it, or as usual; null: the provider chooses. */
  ttl?: number | null
}

/** Changes as requests of single records. */
export interface Expanded {
  requests: ChangeRequest[]
  /** By position in `requests`: which of the changes asked for it. */
  origins: number[]
  /** Sets that are written whole. */
  exact: SetKey[]
}

/**
 * The changes with each `set` as what it takes of the records that are there: also of those that only the provider
 * knows, which are stored first. Rejects with 400 for values that are none, with 409 for sets by routing.
 */
export async function expandSets(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  changes: readonly (ChangeRequest | SetChange)[],
): Promise<Expanded> {
  const expanded: Expanded = { requests: [], origins: [], exact: [] }
  const sets = changes.flatMap((change, index) => (change.action === 'set' ? [{ change, index }] : []))
  const wanted = await readWanted(context, caller, domainId, sets)
  expanded.exact = wanted.map(({ key }) => key)
  if (wanted.length > 0) {
    const domain = await requireDomain(context.db, caller, domainId, 'read')
    await adoptSets(context, domain, expanded.exact)
  }
  const names = wanted.map(({ key }) => key.name)
  const rows = names.length === 0 ? [] : await recordsOfNames(context.db, domainId, names)
  const here = Map.groupBy(
    rows.filter(({ deleting }) => !deleting),
    ({ name, type }) => rrsetKey({ name, type }),
  )
  for (const [index, change] of changes.entries()) {
    const set = wanted.find((one) => one.index === index)
    const requests = set
      ? requestsFor(set, here.get(rrsetKey(set.key)) ?? [])
      : change.action === 'set'
        ? []
        : [change]
    expanded.requests.push(...requests)
    expanded.origins.push(...requests.map(() => index))
  }
  return expanded
}

interface Wanted {
  index: number
  key: Pick<SetKey, 'name' | 'type'>
  /** As it was given: what it means, planning reads from it again. */
  change: SetChange
  /** Canonical, each with how it was given. */
  values: Map<string, string>
}

/** The sets that are meant, in canonical form. */
async function readWanted(
  { db }: RecordContext,
  caller: Caller,
  domainId: string,
  sets: readonly { change: SetChange; index: number }[],
): Promise<Wanted[]> {
  if (sets.length === 0) return []
  const domain = await requireDomain(db, caller, domainId, 'read')
  const scope = recordScopeOf(domain, caller)
  const owners = sets.flatMap(({ change }) => ownersIn(change.name, domain.name))
  const rows = await recordsOfNames(db, domainId, [...new Set(owners)])
  const taken = new Set(rows.filter((row) => seesRecord(scope, row)).map(({ name }) => name))
  const seen = new Set<string>()
  return sets.map(({ change, index }) => {
    const path = `/changes/${index}`
    const owner = readOwner(null, change.name, domain.name, (name) => taken.has(name))
    if (!owner.ok) throw invalid({ path: `${path}/name`, code: owner.code, message: owner.reason })
    const key = { name: owner.name, type: change.recordType }
    if (seen.has(rrsetKey(key)))
      throw invalid({
        path: `${path}/name`,
        code: 'duplicate',
        message: 'names a set that another change sets',
      })
    seen.add(rrsetKey(key))
    const values = change.values.map((value, at) => {
      const read = readValue(null, change.recordType, { value })
      if (read.ok) return [read.value, value] as const
      throw invalid(...read.errors.map((error) => ({ ...error, path: `${path}/values/${at}` })))
    })
    return { index, key, change, values: new Map(values) }
  })
}

/** Records whose value goes become those whose value comes, so that they keep their ids and comments. */
function requestsFor({ key, change, values }: Wanted, rows: readonly RecordRow[]): ChangeRequest[] {
  if (rows.some(({ routing }) => routing !== null)) {
    throw conflict(
      `${key.name} ${key.type} has sets that are answered by line or weight; change its records`,
      {
        reason: 'conflict',
        params: { name: key.name, recordType: key.type },
      },
    )
  }
  const ttl = change.ttl === undefined ? {} : { ttl: change.ttl }
  const missing = new Map(values)
  const stays = rows.filter(({ value }) => missing.delete(value))
  const goes = rows.filter((row) => !stays.includes(row))
  const comes = [...missing.values()]
  const spare = goes.slice(0, comes.length)
  const same = (row: RecordRow) => row.enabled && (change.ttl === undefined || change.ttl === row.ttl)
  return [
    ...goes.slice(spare.length).map(({ id }): ChangeRequest => ({ action: 'delete', recordId: id })),
    ...stays
      .filter((row) => !same(row))
      .map(({ id }): ChangeRequest => ({ action: 'update', recordId: id, enabled: true, ...ttl })),
    ...spare.map(({ id }, at): ChangeRequest => {
      const value = comes[at] as string
      return { action: 'update', recordId: id, value, enabled: true, ...ttl }
    }),
    ...comes.slice(spare.length).map((value): ChangeRequest => {
      const { recordType, name } = change
      return { action: 'create', recordType, name, value, ...ttl }
    }),
  ]
}
