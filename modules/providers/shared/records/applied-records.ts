import { rrsetKey } from '../../../../dns/names/rrset.ts'
import type { AdapterContext } from '../../context.ts'
import { halfDone, ProviderError, type ChangeOutcome, type RRsetEdit } from '../../contract.ts'
import { independentGroups } from '../../../../dns/names/independent-names.ts'
import { inParallel } from '../../../../plugins/work/in-parallel.ts'
import {
  isRefusal,
  notSent,
  planRecords,
  writeOneByOne,
  type HeldRecord,
  type PlannedRecord,
} from './edited-records.ts'

/* The edits of one `apply` call at providers with record ids. */

/** How the records of a zone are read. */
export interface RecordStore {
  /** Records of the whole zone. */
  readAll(): Promise<HeldRecord[]>
  /** Records of an edit's name, type and routing. */
  readSet(edit: RRsetEdit): Promise<HeldRecord[]>
  /** Up to this number of edits, sets are read alone; with more, the zone is read. Missing: 5. */
  singleReads?: number
}

/** How records are read, and written one by one. */
export interface WritableStore extends RecordStore {
  /** Of the account. */
  context: Pick<AdapterContext, 'parallelWrites' | 'deadline' | 'clock'>
  /** Writes one record, and returns its id. */
  write(edit: RRsetEdit, record: PlannedRecord): Promise<string | null>
}

/** With more edits, reading the zone takes fewer calls than reading each set. */
const SINGLE_READS = 5

/** An edit and the planned writes of its records. */
export interface EditPlan {
  edit: RRsetEdit
  planned: PlannedRecord[]
}

/** Outcomes of the changes of each edit. */
export type Done = Map<RRsetEdit, ChangeOutcome[]>

/** The records of each edit's name, type and routing. */
export async function readSets(edits: readonly RRsetEdit[], store: RecordStore): Promise<HeldRecord[][]> {
  if (edits.length > (store.singleReads ?? SINGLE_READS)) {
    const sets = Map.groupBy(await store.readAll(), rrsetKey)
    return edits.map((edit) => sets.get(rrsetKey(edit)) ?? [])
  }
  const sets: HeldRecord[][] = []
  for (const edit of edits) sets.push(await store.readSet(edit))
  return sets
}

export async function planEdits(edits: readonly RRsetEdit[], store: RecordStore): Promise<EditPlan[]> {
  const sets = await readSets(edits, store)
  return edits.map((edit, at) => ({ edit, planned: planRecords(edit, sets[at] ?? []) }))
}

/** Applies the edits where the provider accepts one record per call. */
export async function applyOneByOne(
  edits: readonly RRsetEdit[],
  store: WritableStore,
): Promise<ChangeOutcome[][]> {
  const done: Done = new Map()
  await writePlans(await planEdits(edits, store), store, done)
  return outcomesIn(done, edits)
}

/**
 * Writes plans of different names, as many at the same time as the provider accepts. Nothing more is sent after a failure that
 * is not a refusal, after a first plan that failed, and after the deadline. Throws if certainly nothing was
 * applied, now or before, and if there is only one plan.
 */
export async function writePlans(
  plans: readonly EditPlan[],
  store: WritableStore,
  done: Done,
): Promise<void> {
  const { parallelWrites, deadline, clock } = store.context
  const results = new Map<EditPlan, ChangeOutcome[] | ProviderError>()
  let failure: ProviderError | null = null
  let hasApplied = done.size > 0
  const isOver = (first: ProviderError) => !hasApplied || !isRefusal(first)
  const write = async (plan: EditPlan): Promise<ChangeOutcome[] | ProviderError> => {
    if (failure !== null && isOver(failure)) return notSent(failure)
    if (clock.now() >= deadline) return tooSlow()
    const outcomes = await writeOneByOne(plan.edit, plan.planned, (record) => store.write(plan.edit, record))
    hasApplied = true
    return outcomes
  }
  await inParallel(
    independentGroups(plans, ({ edit }) => [edit]),
    parallelWrites,
    async (group) => {
      for (const plan of group) {
        const result = await write(plan).catch((error: unknown) => {
          if (error instanceof ProviderError) return error
          throw error
        })
        if (result instanceof ProviderError) failure ??= result
        results.set(plan, result)
      }
    },
  )
  const isUnknown = (result: unknown) => result instanceof ProviderError && result.outcome === 'unknown'
  // Of several plans, those that were not sent are not unknown.
  const isOfAll = plans.length === 1 || ![...results.values()].some(isUnknown)
  if (!hasApplied && failure !== null && isOfAll) throw failure
  for (const [plan, result] of results) noteResult(done, plan, result)
}

const tooSlow = () =>
  new ProviderError('timeout', 'The time budget ended before the DNS provider could be called')

function noteResult(done: Done, { edit }: EditPlan, result: ChangeOutcome[] | ProviderError): void {
  if (!(result instanceof ProviderError)) return void done.set(edit, result)
  // An edit without changes has no outcome to carry the failure.
  if (edit.changes.length === 0) throw halfDone(result)
  done.set(
    edit,
    edit.changes.map(() => ({ ok: false, error: result })),
  )
}

/** Records outcomes. Returns the failure if other edits were applied before, otherwise throws it. */
export async function inTurn(
  done: Done,
  plans: readonly EditPlan[],
  work: () => Promise<ChangeOutcome[][]>,
): Promise<ProviderError | null> {
  try {
    const outcomes = await work()
    for (const [at, { edit }] of plans.entries()) done.set(edit, outcomes[at] ?? [])
    return null
  } catch (error) {
    if (!(error instanceof ProviderError) || done.size === 0) throw error
    for (const plan of plans) noteResult(done, plan, error)
    return error
  }
}

export const outcomesIn = (done: Done, edits: readonly RRsetEdit[]): ChangeOutcome[][] =>
  edits.map((edit) => done.get(edit) ?? [])
