import type { Caller } from '../../../plugins/security/access/index.ts'
import { faultOf } from '../../../plugins/http/bodies.ts'
import { invalid } from '../../../plugins/http/errors.ts'
import { once } from '../../../plugins/http/idempotency/key.ts'
import { bodyChecker } from '../../../plugins/http/validation/validation.ts'
import type { Later } from '../../../schemas/records/later.ts'
import type { RecordContext } from '../context.ts'
import { recordNotFound } from '../errors.ts'
import { toRecordWithData } from '../list/mapper.ts'
import { findRecord } from '../list/queries.ts'
import type { RecordInput, RequestedChange } from '../plan/change.ts'
import type { ChangeIntent } from '../plan/intent.ts'
import { scheduleChanges } from '../scheduled/schedule.ts'
import { NewRecord } from '../schemas.ts'
import { applyChanges, requireApplied } from './apply.ts'
import type { Applied } from './outcomes.ts'
import { repeatedChange } from './journal/keyed-change.ts'
import { untilConfirmed } from '../confirmation/until-confirmed.ts'

type NewInput = Required<Pick<RecordInput, 'recordType' | 'name'>> & RecordInput

/** Creates a record and returns it, or with `applyAt` schedules that and returns the plan. */
export const createRecord = (
  context: RecordContext,
  caller: Caller,
  domainId: string,
  { applyAt, confirmWithin, ...input }: NewInput & Later,
) => changeOne(context, caller, domainId, { ...input, action: 'create' }, { applyAt, confirmWithin })

/** Updates a record and returns it, or with `applyAt` schedules that and returns the plan. */
export const updateRecord = (
  context: RecordContext,
  caller: Caller,
  domainId: string,
  recordId: string,
  { applyAt, confirmWithin, ...input }: RecordInput & { version?: number } & Later,
) => {
  const asked = versionOf(caller.ifMatch)
  const { version = asked, ...fields } = input
  if (asked !== undefined && version !== asked) {
    throw invalid({ path: '/version', code: 'version_differs', message: 'differs from If-Match' })
  }
  const request = {
    ...fields,
    ...(version !== undefined && { version }),
    action: 'update' as const,
    recordId,
  }
  return changeOne(context, caller, domainId, request, { applyAt, confirmWithin })
}

/**
 * Deletes a record, or with `applyAt` schedules that and returns the plan. The id of the change is null when there was
 * nothing to do.
 */
export async function deleteRecord(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  recordId: string,
  later: Later,
) {
  const version = versionOf(caller.ifMatch)
  const request = { action: 'delete' as const, recordId, ...(version !== undefined && { version }) }
  const { applyAt, confirmWithin } = later
  if (applyAt !== undefined)
    return scheduleOne(context, caller, domainId, request, { applyAt, confirmWithin })
  const { changeId } = requireApplied(
    await applyChanges(context, caller, domainId, single(request), { confirmWithin }),
  )
  return { changeId, ...(await untilConfirmed(context.db, changeId, later)) }
}

/** Creates or updates one record and returns it. */
async function changeOne(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  request: Exclude<RequestedChange, { action: 'delete' }>,
  { applyAt, confirmWithin }: Later,
) {
  if (applyAt !== undefined)
    return scheduleOne(context, caller, domainId, request, { applyAt, confirmWithin })
  const options = { isWhole: true, confirmWithin }
  const applied =
    (await repeatedChange(context, caller, domainId)) ??
    requireApplied(await applyChanges(context, caller, domainId, single(request), options))
  const id = applied.plan.steps.find((step) => step.index === 0)?.recordId
  const warnings = applied.plan.warnings.map(({ message }) => message)
  // An update that changes nothing has no step.
  const recordId = id ?? (request as { recordId: string }).recordId.toLowerCase()
  const row = applied.records.get(recordId) ?? (await findRecord(context.db, domainId, recordId))
  if (!row) throw recordNotFound(recordId)
  const { changeId } = applied
  const confirmation = await untilConfirmed(context.db, changeId, { confirmWithin })
  return { ...toRecordWithData(row), warnings, changeId, ...confirmation }
}

const scheduleOne = (
  context: RecordContext,
  caller: Caller,
  domainId: string,
  request: RequestedChange,
  later: Later & { applyAt: string },
) =>
  once(caller, () =>
    scheduleChanges(
      context,
      caller,
      domainId,
      { kind: 'requests', source: 'apply', requests: [request] },
      { ...later, isSingle: true },
    ),
  )

const single = (request: RequestedChange): ChangeIntent => ({
  kind: 'requests',
  source: 'single',
  requests: [request],
})

/**
 * Creates many records. Each entry succeeds or fails on its own, and the results are in the order of the
 * entries. All valid entries go to the provider in one batch if it supports batches.
 */
export async function createMany(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  entries: unknown[],
) {
  const checked = entries.map(checkEntry)
  const requests = checked.flatMap((entry, index) => (entry.input ? [{ index, input: entry.input }] : []))
  const intent = {
    kind: 'requests',
    source: 'bulk',
    separate: true,
    requests: requests.map(({ input }) => ({ ...input, action: 'create' as const })),
  } as const
  const applied =
    (await repeatedChange(context, caller, domainId, { separate: true })) ??
    (await applyChanges(context, caller, domainId, intent, { isWhole: true }))
  const results = checked.map(({ shown, error }) => ({
    ...shown,
    success: false,
    ...(error !== null && { error }),
  }))
  for (const [position, { index }] of requests.entries()) {
    results[index] = { ...results[index], ...resultOf(applied, position) } as (typeof results)[number]
  }
  const succeeded = results.filter((result) => result.success).length
  return { results, total: entries.length, succeeded, changeId: applied.changeId }
}

function resultOf({ plan, outcomes }: Applied, position: number) {
  const refusal = plan.refusals.find(({ index }) => index === position)
  if (refusal) return { success: false, error: refusal.detail }
  const at = plan.steps.findIndex((step) => step.index === position)
  const outcome = outcomes[at]
  if (outcome?.outcome === 'failed') return { success: false, error: outcome.error }
  if (outcome?.outcome !== 'applied') {
    return { success: false, error: 'Not confirmed by the provider; pending until it is reconciled' }
  }
  const warnings = plan.warnings.filter(({ index }) => index === position).map(({ message }) => message)
  return { success: true, id: plan.steps[at]?.recordId, ...(warnings.length > 0 && { warnings }) }
}

const checkCreateBody = bodyChecker(NewRecord)

/** Returns the input of an entry of a bulk call, or why it is not valid. `shown`: fields that the result repeats. */
function checkEntry(entry: unknown): {
  input: NewInput | null
  error: string | null
  shown: { recordType: string | null; name: string | null }
} {
  const { recordType, name, value, strings, data } = (entry ?? {}) as Record<string, unknown>
  const text = (given: unknown) => (typeof given === 'string' ? given.slice(0, 1000).toWellFormed() : null)
  const shown = { recordType: text(recordType), name: text(name) }
  const fault = faultOf(entry)
  const errors = fault === null ? checkCreateBody(entry) : [fault]
  if (fault === null && value === undefined && strings === undefined && data === undefined) {
    errors.push({ path: '/value', code: 'required', message: 'is required' })
  }
  if (errors.length === 0) return { input: entry as NewInput, error: null, shown }
  const error = errors.map(({ path, message }) => `${path.slice(1) || 'entry'} ${message}`).join('; ')
  return { input: null, error, shown }
}

/** A version that no record has. */
const NO_VERSION = -1

/** Returns the version that `If-Match` requires; undefined for any. */
function versionOf(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined) return undefined
  const [, digits] = /^(?:W\/)?"?([0-9]{1,9})(?:\.[^"]*)?"?$/.exec(ifMatch.trim()) ?? []
  if (digits !== undefined) return Number(digits)
  if (/^(?:W\/)?"[^"]*"$/.test(ifMatch.trim())) return NO_VERSION
  const message = 'must be the version of the record, such as "3", its ETag, or *'
  throw invalid({ path: '/if-match', code: 'pattern', message })
}
