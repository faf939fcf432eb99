import { rrsetKey } from '../../dns/rrset.ts'
import { halfDone, ProviderError, type ChangeOutcome, type RRsetEdit } from './contract.ts'
import {
  isRefusal,
  outcomesOf,
  planRecords,
  writeOneByOne,
  writesOf,
  type HeldRecord,
  type PlannedRecord,
} from './edited-records.ts'

/* What providers have in common that make many records by one job, and change them one by one. */

/** A record that is to be written. */
export interface Creation {
  edit: RRsetEdit
  record: PlannedRecord
}

interface Host {
  /** Of the whole zone. */
  readAll(): Promise<HeldRecord[]>
  /** Of an edit's name, type and routing. */
  readSet(edit: RRsetEdit): Promise<HeldRecord[]>
  /** By a call of its own; answers the id. */
  write(edit: RRsetEdit, record: PlannedRecord): Promise<string | null>
  /** Whether a job makes it as it shall be. */
  isPlain(creation: Creation): boolean
  /** By a job; answers the id of each, or why it was not made. Rejects where nobody knows, and where it is not taken. */
  createMany(creations: readonly Creation[]): Promise<(string | ProviderError)[]>
}

/** What a job makes; TTLs and values that change are none of it. */
export const isCreation = ({ record: { write, member } }: Creation): boolean =>
  write === 'create' && member.disabled !== true && (member.comment ?? '') === ''

/** With more edits all records are read: a page of them has more than an answer about one name. */
const MAX_SINGLE_READS = 5

/** An edit, and what is to be done to its records. */
interface Plan {
  edit: RRsetEdit
  planned: PlannedRecord[]
}

/** Does the edits. What goes makes room for what comes: records are made after all else is done. */
export async function applyInBulk(edits: readonly RRsetEdit[], host: Host): Promise<ChangeOutcome[][]> {
  const sets = await readSets(edits, host)
  const plans = edits.map((edit, at): Plan => ({ edit, planned: planRecords(edit, sets[at] ?? []) }))
  const bulk = plans.filter((plan) => plans.length > 1 && creationsOf(plan).every((one) => host.isPlain(one)))
  const done = new Map<RRsetEdit, ChangeOutcome[]>()
  for (const plan of plans.filter((one) => !bulk.includes(one))) {
    const write = (record: PlannedRecord) => host.write(plan.edit, record)
    await inTurn(done, [plan], async () => [await writeOneByOne(plan.edit, plan.planned, write)])
  }
  if (bulk.length > 0) await inTurn(done, bulk, () => createAll(bulk, host))
  return edits.map((edit) => done.get(edit) ?? [])
}

async function readSets(edits: readonly RRsetEdit[], host: Host): Promise<HeldRecord[][]> {
  if (edits.length > MAX_SINGLE_READS) {
    const sets = Map.groupBy(await host.readAll(), rrsetKey)
    return edits.map((edit) => sets.get(rrsetKey(edit)) ?? [])
  }
  const sets: HeldRecord[][] = []
  for (const edit of edits) sets.push(await host.readSet(edit))
  return sets
}

const creationsOf = ({ edit, planned }: Plan): Creation[] =>
  writesOf(planned).map((record) => ({ edit, record }))

/** Where others are done before, what fails is the outcome of these alone. */
async function inTurn(
  done: Map<RRsetEdit, ChangeOutcome[]>,
  plans: Plan[],
  work: () => Promise<ChangeOutcome[][]>,
): Promise<void> {
  try {
    const outcomes = await work()
    for (const [at, { edit }] of plans.entries()) done.set(edit, outcomes[at] ?? [])
  } catch (error) {
    if (!(error instanceof ProviderError) || done.size === 0) throw error
    // Of an edit without changes there is no other place to say it.
    if (plans.some(({ edit }) => edit.changes.length === 0)) throw halfDone(error)
    for (const { edit } of plans)
      done.set(
        edit,
        edit.changes.map(() => ({ ok: false, error })),
      )
  }
}

async function createAll(plans: Plan[], host: Host): Promise<ChangeOutcome[][]> {
  const creations = plans.flatMap(creationsOf)
  const made = new Map<PlannedRecord, ChangeOutcome>()
  const results = await create(creations, host)
  for (const [at, { edit, record }] of creations.entries())
    made.set(record, await outcomeOf(edit, record, results[at] ?? null, host))
  return plans.map(({ edit, planned }) => outcomesOf(edit, planned, made))
}

/** One alone needs no job. */
async function create(creations: Creation[], host: Host): Promise<(string | ProviderError | null)[]> {
  const [first] = creations
  if (first === undefined || creations.length > 1)
    return first === undefined ? [] : await host.createMany(creations)
  const result = host.write(first.edit, first.record).catch((error: unknown) => {
    if (error instanceof ProviderError && isRefusal(error)) return error
    throw error
  })
  return [await result]
}

/** A job says in words alone that somebody else has made it meanwhile. */
async function outcomeOf(
  edit: RRsetEdit,
  { member }: PlannedRecord,
  result: string | ProviderError | null,
  host: Host,
): Promise<ChangeOutcome> {
  if (!(result instanceof ProviderError)) return { ok: true, providerId: result }
  const held = await host.readSet(edit).catch(() => [])
  const made = held.find((one) => one.member.value === member.value)
  return made === undefined ? { ok: false, error: result } : { ok: true, providerId: made.id }
}
