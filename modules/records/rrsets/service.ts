import type { Executor } from '../../../db/connection/connect.ts'
import { toUnicodeName } from '../../../dns/names/names.ts'
import { invalid, notFound, type AppError, type FieldError } from '../../../plugins/http/errors.ts'
import { preconditionFailed, requireMatch } from '../../../plugins/http/if-match.ts'
import type { Caller, Principal } from '../../../plugins/security/access/index.ts'
import type { RecordType } from '../../../schemas/records/record-type.ts'
import { recordScopeOf, requireDomain, seesRecord } from '../../domains/access/access.ts'
import { applyChanges, requireApplied } from '../apply/apply.ts'
import { repeatedChange } from '../apply/journal/keyed-change.ts'
import { asTheyAre } from '../apply/requested-changes.ts'
import { expandSets, type SetChange } from '../apply/whole-sets.ts'
import type { RecordContext } from '../context.ts'
import { ChangesRefused } from '../errors.ts'
import { toRecord } from '../list/mapper.ts'
import { recordsOfNames } from '../list/queries.ts'
import type { RequestedChange } from '../plan/change.ts'
import { ownersIn, readOwner, readValue } from '../plan/input.ts'

/** Name and type as a caller gives them. */
export interface RRsetName {
  name: string
  type: RecordType
}

export interface RRsetContent {
  values: string[]
  ttl?: number | null
  comment?: string
}

/** Returns an RRset that the caller sees. Rejects with 404 when nothing of it is published. */
export async function readRRset(db: Executor, principal: Principal, domainId: string, wanted: RRsetName) {
  const rrset = await findRRset(db, principal, domainId, wanted)
  if (rrset === null) throw notFound('RRset', `${wanted.name} ${wanted.type}`)
  return rrset
}

async function findRRset(db: Executor, principal: Principal, domainId: string, { name, type }: RRsetName) {
  const domain = await requireDomain(db, principal, domainId, 'read')
  const scope = recordScopeOf(domain, principal)
  const rows = (await recordsOfNames(db, domainId, ownersIn(name, domain.name))).filter((row) =>
    seesRecord(scope, row),
  )
  const taken = new Set(rows.map((row) => row.name))
  const owner = readOwner(null, name, domain.name, (one) => taken.has(one))
  if (!owner.ok) throw invalid({ path: '/name', code: owner.code, message: owner.reason })
  const records = rows
    .filter((row) => row.name === owner.name && row.type === type && row.enabled && !row.deleting)
    .toSorted((one, other) => (one.id < other.id ? -1 : 1))
    .map(toRecord)
  const [first, ...more] = records
  if (!first) return null
  return {
    domainId,
    name: owner.name,
    unicodeName: toUnicodeName(owner.name),
    recordType: type,
    values: records.map(({ value }) => value),
    ttl: first.ttl,
    comment: more.every(({ comment }) => comment === first.comment) ? first.comment : null,
    records,
  }
}

/**
 * Makes an RRset have exactly these values; disabled records stay. `onlyNew`: rejects with 412 if it exists. Returns the
 * RRset and whether it is new. A repeated request changes nothing.
 */
export async function putRRset(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  wanted: RRsetName,
  content: RRsetContent,
  { onlyNew }: { onlyNew: boolean },
) {
  requireValues(wanted.type, content.values)
  const { changeId, plan } = await writeRRset(context, caller, domainId, wanted, content, { onlyNew })
  const rrset = await readRRset(context.db, caller, domainId, wanted)
  const created = new Set(
    plan.steps.flatMap(({ action, recordId }) => (action === 'create' ? [recordId] : [])),
  )
  const warnings = plan.warnings.map(({ message }) => message)
  return { isNew: rrset.records.every(({ id }) => created.has(id)), rrset: { ...rrset, warnings, changeId } }
}

/** Deletes an RRset except for disabled records. Returns the id of the change; null when there was nothing to delete. */
export async function deleteRRset(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  wanted: RRsetName,
): Promise<string | null> {
  const content = { values: [] }
  return (await writeRRset(context, caller, domainId, wanted, content, { onlyNew: false })).changeId
}

async function writeRRset(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  wanted: RRsetName,
  content: RRsetContent,
  { onlyNew }: { onlyNew: boolean },
) {
  const change: SetChange = { action: 'set', recordType: wanted.type, name: wanted.name, ...content }
  return asTheyAre(async () => {
    const repeated = await repeatedChange(context, caller, domainId)
    if (repeated) return repeated
    // Values that only the provider holds are stored first, so that the conditions compare what DNS serves.
    const { requests, exact } = await expandSets(context, caller, domainId, [change])
    const before = await findRRset(context.db, caller, domainId, wanted)
    if (onlyNew && before) throw preconditionFailed(`${wanted.name} ${wanted.type} exists already`)
    await requireMatch(caller, () => before ?? {})
    const intent = { kind: 'requests', source: 'apply', requests, exact } as const
    const applied = await applyChanges(context, caller, domainId, intent, { isWhole: true }).catch(
      (error: unknown) => {
        throw error instanceof ChangesRefused ? inFieldsOf(content, requests, error) : error
      },
    )
    return requireApplied(applied)
  })
}

/** Rejects with an error for each value that its type does not allow. */
function requireValues(type: RecordType, values: readonly string[]): void {
  const errors = values.flatMap((value, index): FieldError[] => {
    const read = readValue(null, type, { value })
    return read.ok ? [] : read.errors.map((error) => ({ ...error, path: `/values/${index}` }))
  })
  if (errors.length > 0) throw invalid(...errors)
}

/** Names the fields of the body that a refusal of single records is about. */
function inFieldsOf(
  { values }: RRsetContent,
  requests: readonly RequestedChange[],
  error: ChangesRefused,
): AppError {
  if (!error.refusals.every(({ kind }) => kind === 'invalid')) return error
  return invalid(
    ...error.refusals.flatMap(({ index, errors }) =>
      errors.map((one) => {
        const { value = '' } = requests[index] as { value?: string }
        return { ...one, path: one.path === '/value' ? `/values/${values.indexOf(value)}` : one.path }
      }),
    ),
  )
}
