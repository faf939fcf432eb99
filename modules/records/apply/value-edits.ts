import type { ReasonCode } from '../../../schemas/reason-codes.ts'
import { memberKey, rrsetKey } from '../../../dns/names/rrset.ts'
import type { RecordType } from '../../../dns/types/index.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import {
  recordScopeOf,
  requireDomain,
  seesRecord,
  type GrantedDomain,
  type RecordScope,
} from '../../domains/access/access.ts'
import type { RecordContext } from '../context.ts'
import { ChangesRefused } from '../errors.ts'
import { applyChanges } from './apply.ts'
import { requireApplied } from './failure.ts'
import type { RequestedChange } from '../plan/change.ts'
import { findHidden, hiddenError } from '../plan/hidden.ts'
import { toState, type RecordRow } from '../list/mapper.ts'
import { recordsOfNames } from '../list/queries.ts'

/** Values of one name and type that shall be there, and others that shall not; what it does not name stays. */
export interface ValueEdit {
  /** Edits of one group are all done, or none of them. */
  group: string
  /** Relative to the zone. */
  name: string
  type: RecordType
  /** Canonical, as those in `remove`. */
  add: string[]
  remove: string[]
  /** Seconds, of what is added or stays; missing: as it is, or as usual. */
  ttl?: number
  proxied?: boolean
}

export interface RefusedGroup {
  group: string
  code: ReasonCode
  detail: string
}

/** How often what is left is tried anew without the groups that were refused. */
const ROUNDS = 5

/**
 * Makes all of the edits in one change, without the groups of those that can't be done, which it answers. What is so
 * already is no fault, so that the same again does nothing. Sets that are answered by line or weight are left alone.
 * Rejects where all failed, as at the provider.
 */
export async function editValues(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  edits: ValueEdit[],
): Promise<RefusedGroup[]> {
  const domain = await requireDomain(context.db, caller, domainId, 'write')
  const scope = recordScopeOf(domain, caller)
  const names = [...new Set(edits.map(({ name }) => name))]
  const rows = (await recordsOfNames(context.db, domainId, names)).filter(
    (row) => !row.deleting && row.routing === null && seesRecord(scope, toState(row)),
  )
  const sets = Map.groupBy(rows, rrsetKey)
  // Of several edits of one set a value that one of them wants stays.
  const kept = new Set(edits.flatMap((edit) => edit.add.map((value) => memberKey({ ...edit, value }))))
  const refused = await hiddenGroups(context, domain, scope, edits)
  for (let round = 1; ; round++) {
    const wanted = edits
      .filter(({ group }) => !refused.has(group))
      .flatMap((edit) =>
        requestsOf(edit, sets.get(rrsetKey(edit)) ?? [], { zone: domain.name, kept }).map((request) => ({
          group: edit.group,
          request,
        })),
      )
    if (wanted.length === 0) return [...refused.values()]
    try {
      const requests = wanted.map(({ request }) => request)
      const intent = { kind: 'requests', source: 'apply', requests } as const
      requireApplied(await applyChanges(context, caller, domainId, intent))
      return [...refused.values()]
    } catch (error) {
      if (!(error instanceof ChangesRefused) || round === ROUNDS) throw error
      for (const { index, code, detail } of error.refusals) {
        const { group } = wanted[index] as { group: string }
        if (!refused.has(group)) refused.set(group, { group, code, detail })
      }
    }
  }
}

/** Groups that would add a record which nobody is answered with. What is only removed may be hidden. */
async function hiddenGroups(
  { db }: RecordContext,
  domain: GrantedDomain,
  scope: RecordScope,
  edits: readonly ValueEdit[],
): Promise<Map<string, RefusedGroup>> {
  const adding = edits.filter(({ add }) => add.length > 0)
  const hidden = await findHidden(
    db,
    domain.id,
    adding.map(({ name, type }) => ({ name, type, value: '' })),
  )
  const refused = new Map<string, RefusedGroup>()
  for (const edit of adding) {
    const hiding = hidden.get(rrsetKey(edit))
    if (!hiding || refused.has(edit.group)) continue
    const { message: detail } = hiddenError(edit, hiding, scope)
    refused.set(edit.group, { group: edit.group, code: hiding.code, detail })
  }
  return refused
}

function requestsOf(
  { name, type, add, remove, ttl, proxied }: ValueEdit,
  rows: RecordRow[],
  { zone, kept }: { zone: string; kept: ReadonlySet<string> },
): RequestedChange[] {
  const here = new Map(rows.map((row) => [row.value, row]))
  const fields = { ...(ttl !== undefined && { ttl }), ...(proxied !== undefined && { proxied }) }
  const going = remove.filter((value) => !kept.has(memberKey({ name, type, value })))
  return [
    ...going.flatMap((value): RequestedChange[] => {
      const row = here.get(value)
      return row ? [{ action: 'delete', recordId: row.id }] : []
    }),
    ...add.flatMap((value): RequestedChange[] => {
      const row = here.get(value)
      // With its final dot a full name means that name alone.
      const full = name === '@' ? `${zone}.` : `${name}.${zone}.`
      if (!row) return [{ action: 'create', recordType: type, name: full, value, ...fields }]
      const isSo =
        row.enabled &&
        (ttl === undefined || ttl === row.ttl) &&
        (proxied === undefined || proxied === row.proxied)
      return isSo ? [] : [{ action: 'update', recordId: row.id, enabled: true, ...fields }]
    }),
  ]
}
