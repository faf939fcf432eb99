import {
  inTurn,
  outcomesIn,
  planEdits,
  writePlans,
  type Done,
  type EditPlan,
  type WritableStore,
} from './applied-records.ts'
import { ProviderError, type ChangeOutcome, type RRsetEdit } from '../../contract.ts'
import { isRefusal, outcomesOf, writesOf, type PlannedRecord } from './edited-records.ts'

/* Providers that create many records by one job, and change them one by one. */

/** A record to be created. */
export interface Creation {
  edit: RRsetEdit
  record: PlannedRecord
}

interface BulkStore extends WritableStore {
  /** Whether a job can create it as wanted. */
  isPlain(creation: Creation): boolean
  /** Returns the id of each, or why it was not created. Rejects if the job is refused, or its outcome is unknown. */
  createMany(creations: readonly Creation[]): Promise<(string | ProviderError)[]>
}

/** The record is served and has no comment: jobs of some providers can't create others. */
export const isPlain = ({ member }: Pick<PlannedRecord, 'member'>): boolean =>
  member.disabled !== true && (member.comment ?? '') === ''

/** Applies the edits. Jobs run last: deletions make room for creations. */
export async function applyInBulk(edits: readonly RRsetEdit[], store: BulkStore): Promise<ChangeOutcome[][]> {
  const plans = await planEdits(edits, store)
  const bulk = plans.filter(
    (plan) => plans.length > 1 && creationsOf(plan).every((one) => store.isPlain(one)),
  )
  const done: Done = new Map()
  await writePlans(
    plans.filter((one) => !bulk.includes(one)),
    store,
    done,
  )
  if (bulk.length > 0) await inTurn(done, bulk, () => createAll(bulk, store))
  return outcomesIn(done, edits)
}

const creationsOf = ({ edit, planned }: EditPlan): Creation[] =>
  writesOf(planned).map((record) => ({ edit, record }))

async function createAll(plans: readonly EditPlan[], store: BulkStore): Promise<ChangeOutcome[][]> {
  const creations = plans.flatMap(creationsOf)
  const made = new Map<PlannedRecord, ChangeOutcome>()
  const results = await create(creations, store)
  for (const [at, { edit, record }] of creations.entries())
    made.set(record, await outcomeOf(edit, record, results[at] ?? null, store))
  return plans.map(({ edit, planned }) => outcomesOf(edit, planned, made))
}

/** A single record needs no job. */
async function create(creations: Creation[], store: BulkStore): Promise<(string | ProviderError | null)[]> {
  const [first] = creations
  if (first === undefined || creations.length > 1)
    return first === undefined ? [] : await store.createMany(creations)
  const result = store.write(first.edit, first.record).catch((error: unknown) => {
    if (error instanceof ProviderError && isRefusal(error)) return error
    throw error
  })
  return [await result]
}

/** Jobs tell in words only that the record exists already, so it is looked up. */
async function outcomeOf(
  edit: RRsetEdit,
  { member }: PlannedRecord,
  result: string | ProviderError | null,
  store: BulkStore,
): Promise<ChangeOutcome> {
  if (!(result instanceof ProviderError)) return { ok: true, providerId: result }
  const held = await store.readSet(edit).catch(() => [])
  const made = held.find((one) => one.member.value === member.value)
  return made === undefined ? { ok: false, error: result } : { ok: true, providerId: made.id }
}

/** Text as a job may report it: without a final dot, in lower case. */
export const plainText = (text: string): string => text.toLowerCase().replace(/\.$/, '')

/** What a job reports of a record: its id, or why it was not created. */
export function resultOf(
  provider: string,
  result: { id: string | number | null | undefined; reason: string | null | undefined } | undefined,
): string | ProviderError {
  if (result === undefined) {
    const message = `${provider} did not report a result for this record`
    return new ProviderError('unavailable', message, { outcome: 'unknown' })
  }
  if (result.id) return String(result.id)
  return new ProviderError('rejected', `${provider} refuses this: ${result.reason || 'without a reason'}`)
}
