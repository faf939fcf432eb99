import { rrsetKey } from '../../../dns/names/rrset.ts'
import { halfDone, ProviderError, type ChangeOutcome, type RRsetEdit } from '../contract.ts'
import {
  isRefusal,
  notSent,
  planRecords,
  writeOneByOne,
  type HeldRecord,
  type PlannedRecord,
} from './edited-records.ts'

/* What providers have in common that write records by their ids, for the edits of one call of `apply`. */

/** How the records of a zone are read. */
export interface RecordStore {
  /** Of the whole zone. */
  readAll(): Promise<HeldRecord[]>
  /** Of an edit's name, type and routing. */
  readSet(edit: RRsetEdit): Promise<HeldRecord[]>
  /** So many edits have their sets read alone; of more the zone is read. Missing: a few. */
  singleReads?: number
}

/** How they are read, and written one by one. */
export interface WritableStore extends RecordStore {
  /** By a call of its own; answers the id. */
  write(edit: RRsetEdit, record: PlannedRecord): Promise<string | null>
}

/** A page of all records has more than an answer about one name. */
const SINGLE_READS = 5

/** An edit, and what is to be done to its records. */
export interface EditPlan {
  edit: RRsetEdit
  planned: PlannedRecord[]
}

/** What became of the changes of each edit. */
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

/** Does the edits where the provider takes one record a call. */
export async function applyOneByOne(
  edits: readonly RRsetEdit[],
  store: WritableStore,
): Promise<ChangeOutcome[][]> {
  const done: Done = new Map()
  await writePlans(await planEdits(edits, store), store, done)
  return outcomesIn(done, edits)
}

/** One after another. What keeps all calls from being made is met once. */
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

/** Where others are done before, what fails is the outcome of these alone: it is answered. */
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
    // Of an edit without changes there is no other place to say it.
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
