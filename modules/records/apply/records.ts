import { hash } from 'node:crypto'
import type { ChangeSource } from '../../../db/tables/index.ts'
import type { Caller } from '../../../plugins/security/access/index.ts'
import { faultOf } from '../../../plugins/http/bodies.ts'
import { AppError, invalid } from '../../../plugins/http/errors.ts'
import type { RequestOutcome } from '../../../plugins/http/request-effects.ts'
import type { ChangeStatus } from '../../../schemas/record-changes.ts'
import { bodyChecker } from '../../../plugins/http/validation/validation.ts'
import { requireDomain } from '../../domains/access/access.ts'
import { providerFailure } from '../../providers/errors.ts'
import { applyChanges, type Applied, type ApplyOptions, type RecordContext } from './apply.ts'
import type { RequestedChange, RecordInput } from '../plan/change.ts'
import { recordNotFound, refusalError } from '../errors.ts'
import { toRecordWithData } from '../list/mapper.ts'
import type { Refusal } from '../plan/plan.ts'
import { repeatedChange } from './journal/repeated.ts'
import type { StepOutcome } from './journal/journal-queries.ts'
import { findRecord } from '../list/queries.ts'
import { CreateBody } from '../schemas.ts'

export { applyChanges, type Applied, type RecordContext } from './apply.ts'
export type { RequestedChange } from '../plan/change.ts'
export { UnknownSiblings } from '../../providers/contract.ts'
export { adoptSets } from '../sync/adoption.ts'
export type { SetKey } from '../plan/known-values.ts'
export { findHidden, hiddenError } from '../plan/hidden.ts'
export type { RecordRow } from '../list/mapper.ts'
export { recordsOfNames } from '../list/queries.ts'

type NewRecord = Required<Pick<RecordInput, 'recordType' | 'name'>> & RecordInput

export const createRecord = (context: RecordContext, caller: Caller, domainId: string, input: NewRecord) =>
  changeOne(context, caller, domainId, { ...input, action: 'create' })

export const updateRecord = (
  context: RecordContext,
  caller: Caller,
  domainId: string,
  recordId: string,
  input: RecordInput & { version?: number },
) => {
  const asked = versionOf(caller.ifMatch)
  const { version = asked, ...fields } = input
  if (asked !== undefined && version !== asked) {
    throw invalid({ path: '/version', code: 'version_differs', message: 'differs from If-Match' })
  }
  return changeOne(context, caller, domainId, {
    ...fields,
    ...(version !== undefined && { version }),
    action: 'update',
    recordId,
  })
}

/** Answers the change; null when there was nothing to do. */
export async function deleteRecord(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  recordId: string,
): Promise<string | null> {
  const version = versionOf(caller.ifMatch)
  const request = { action: 'delete' as const, recordId, ...(version !== undefined && { version }) }
  const { changeId } = await applyTogether(context, caller, domainId, [request], 'single')
  return changeId
}

/** Changes one record and answers it as it is now. */
async function changeOne(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  request: Exclude<RequestedChange, { action: 'delete' }>,
) {
  const applied =
    (await repeatedChange(context, caller, domainId)) ??
    (await applyTogether(context, caller, domainId, [request], 'single', { isWhole: true }))
  const id = applied.plan.steps.find((step) => step.index === 0)?.recordId
  const warnings = applied.plan.warnings.map(({ message }) => message)
  // An update that changes nothing has no step: the record is what was wished for already.
  const recordId = id ?? (request as { recordId: string }).recordId.toLowerCase()
  const row = applied.records.get(recordId) ?? (await findRecord(context.db, domainId, recordId))
  if (!row) throw recordNotFound(recordId)
  return { ...toRecordWithData(row), warnings, changeId: applied.changeId }
}

/** What a failure says of the change: whether any of it may have been done. */
const outcomeOf = ({ outcomes }: Applied): RequestOutcome =>
  outcomes.every((step) => step.outcome === 'failed' && step.unconfirmed !== true) ? 'none' : 'unknown'

/** Applies changes that stand or fall together: throws the first reason why they can't be done. */
export async function applyTogether(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  requests: RequestedChange[],
  source: ChangeSource,
  {
    refuse = ([first]) => refusalError(first as Refusal, caller),
    ...options
  }: Omit<ApplyOptions, 'source'> = {},
): Promise<Applied> {
  const applied = await applyChanges(context, caller, domainId, requests, { ...options, source, refuse })
  if (applied.failure) {
    const answer = providerFailure(applied.failure)
    throw new AppError(answer.status, answer.code, answer.message, {
      headers: answer.headers,
      extra: {
        ...answer.extra,
        changeId: applied.changeId,
        outcome: outcomeOf(applied),
        ...(answer.status >= 500 && extentOf(applied)),
      },
      cause: applied.failure,
    })
  }
  return applied
}

/** How much of a change was done, for the answer to its failure. */
function extentOf({ outcomes }: Applied) {
  const count = (wanted: StepOutcome['outcome']) =>
    outcomes.filter(({ outcome }) => outcome === wanted).length
  const [done, pending] = [count('applied'), count('pending')]
  const changeStatus: ChangeStatus = pending > 0 ? 'pending' : done > 0 ? 'partial' : 'failed'
  return { changeStatus, done, total: outcomes.length }
}

/**
 * Creates many records; each entry stands on its own, and the results are in the order of the entries.
 * All that can be created go to the provider in one batch where it takes batches.
 */
export async function createMany(
  context: RecordContext,
  caller: Caller,
  domainId: string,
  entries: unknown[],
) {
  const checked = entries.map(checkEntry)
  const requests = checked.flatMap((entry, index) => (entry.input ? [{ index, input: entry.input }] : []))
  const creations = requests.map(({ input }) => ({ ...input, action: 'create' as const }))
  const apply = () =>
    creations.length > 0
      ? applyChanges(context, caller, domainId, creations, { source: 'bulk', separate: true, isWhole: true })
      : nothingToApply(context, caller, domainId)
  const applied = (await repeatedChange(context, caller, domainId, { separate: true })) ?? (await apply())
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

async function nothingToApply(context: RecordContext, caller: Caller, domainId: string): Promise<Applied> {
  await requireDomain(context.db, caller, domainId, 'write')
  const plan = { steps: [], refusals: [], warnings: [] }
  return { plan, changeId: null, outcomes: [], records: new Map(), failure: null }
}

function resultOf({ plan, outcomes }: Applied, position: number) {
  const refusal = plan.refusals.find(({ index }) => index === position)
  if (refusal) return { success: false, error: refusal.detail }
  const at = plan.steps.findIndex((step) => step.index === position)
  const outcome = outcomes[at]
  if (outcome?.outcome === 'failed') return { success: false, error: outcome.error }
  if (outcome?.outcome !== 'applied') {
    return { success: false, error: 'The provider did not confirm it; it is pending and will be settled' }
  }
  const warnings = plan.warnings.filter(({ index }) => index === position).map(({ message }) => message)
  return { success: true, id: plan.steps[at]?.recordId, ...(warnings.length > 0 && { warnings }) }
}

const checkCreateBody = bodyChecker(CreateBody)

/** An entry of a bulk call: its input, or why it is none; `shown` is what the result repeats of it. */
function checkEntry(entry: unknown): {
  input: NewRecord | null
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
  if (errors.length === 0) return { input: entry as NewRecord, error: null, shown }
  const error = errors.map(({ path, message }) => `${path.slice(1) || 'entry'} ${message}`).join('; ')
  return { input: null, error, shown }
}

/** The tag of a record that is read: it begins with the version, so that `If-Match` can take it. */
export const recordTag = (record: { version: number }): string =>
  `W/"${record.version}.${hash('sha256', JSON.stringify(record), 'base64url')}"`

/** No record has it. */
const NO_VERSION = -1

/** The version that `If-Match` asks for; undefined: any. */
export function versionOf(ifMatch: string | undefined): number | undefined {
  if (ifMatch === undefined) return undefined
  const [, digits] = /^(?:W\/)?"?([0-9]{1,9})(?:\.[^"]*)?"?$/.exec(ifMatch.trim()) ?? []
  if (digits !== undefined) return Number(digits)
  if (/^(?:W\/)?"[^"]*"$/.test(ifMatch.trim())) return NO_VERSION
  const message = 'must be the version of the record, such as "3", its ETag, or *'
  throw invalid({ path: '/if-match', code: 'pattern', message })
}
