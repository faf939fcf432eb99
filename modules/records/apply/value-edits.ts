import type { ReasonCode } from '../../../schemas/codes/reason-codes.ts'
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
import { applyChanges, requireApplied } from './apply.ts'
import type { RequestedChange } from '../plan/change.ts'
import { findHidden, hiddenError } from '../plan/hidden.ts'
import { toState, type RecordRow } from '../list/mapper.ts'
import { recordsOfNames } from '../list/queries.ts'

/** Values of one name and type to add and to remove; all others stay. */
export interface ValueEdit {
  /** Edits of one group are applied together or not at all. */
  group: string
  /** Relative to the zone. */
  name: string
  type: RecordType
  /** Canonical, like those in `remove`. */
  add: string[]
  remove: string[]
  /** Seconds, for added and existing values; by default the current or usual TTL. */
  ttl?: number
  proxied?: boolean
}

export interface RefusedGroup {
  group: string
  code: ReasonCode
  detail: string
}

/** Attempts, each without the groups refused before. */
const ROUNDS = 5

/**
 * Applies edits as one change, without the groups that are refused, which it returns. Idempotent: values that are already
 * as wanted need nothing. RRsets with routing are left alone. Rejects when the whole change fails, as at the provider.
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
  // A value that one edit of an RRset adds is not removed by another.
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

/** Refuses groups that would add a record that does not resolve. Hidden records can still be removed. */
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
      // A full name with its final dot is never read as relative.
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
