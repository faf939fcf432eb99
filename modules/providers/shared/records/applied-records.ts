import { rrsetKey } from '../../../../dns/names/rrset.ts'
import { halfDone, ProviderError, type ChangeOutcome, type RRsetEdit } from '../../contract.ts'
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

/** Writes one plan after the other. After a failure that is not a refusal, nothing more is sent. */
export async function writePlans(
  plans: readonly EditPlan[],
  store: WritableStore,
  done: Done,
): Promise<void> {
  let failure: ProviderError | null = null
  for (const plan of plans) {
    const write = (record: PlannedRecord) => store.write(plan.edit, record)
    const lasting: ProviderError | null = failure
    failure = await inTurn(done, [plan], async () => {
      if (lasting !== null && !isRefusal(lasting)) throw notSent(lasting)
      return [await writeOneByOne(plan.edit, plan.planned, write)]
    })
  }
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
    // An edit without changes has no outcome to carry the failure.
    if (plans.some(({ edit }) => edit.changes.length === 0)) throw halfDone(error)
    for (const { edit } of plans) {
      done.set(
        edit,
        edit.changes.map(() => ({ ok: false, error })),
      )
    }
    return error
  }
}

export const outcomesIn = (done: Done, edits: readonly RRsetEdit[]): ChangeOutcome[][] =>
  edits.map((edit) => done.get(edit) ?? [])
