import { isDeepStrictEqual } from 'node:util'
import { memberKey, rrsetKey, type RRsetKey } from '../../../../dns/names/rrset.ts'
import { takeSlices } from '../../../../plugins/http/event-loop.ts'
import type { ProviderConnection } from '../../../providers/traffic/connection.ts'
import type { OperationRun } from '../../../operations/contract.ts'
import {
  ProviderError,
  type Capabilities,
  type ChangeOutcome,
  type MemberChange,
  type Provider,
  type RRsetEdit,
  type Zone,
} from '../../../providers/contract.ts'
import { ServiceStopping, toldOf } from '../../../providers/errors.ts'
import { independentGroups } from '../../../../dns/names/independent-names.ts'
import { inParallel } from '../../../../plugins/work/in-parallel.ts'
import { batchesOf } from './batches.ts'
import type { RecordContent, Step } from '../../plan/change.ts'
import type { StepOutcome } from '../journal/journal-queries.ts'
import { writeEdits } from './completion.ts'
import { memberOf } from './provider-contents.ts'
import type { KnownValues, UnknownValues } from '../../plan/change.ts'

/** The outcome of each step, and the first failure of the provider. */
interface Sent {
  outcomes: StepOutcome[]
  failure: ProviderError | null
  /** Other values that the provider holds in the written RRsets. */
  seen: UnknownValues[]
}

/** Known values of the written RRsets; without them, adapters don't look for others. */
interface Knowledge {
  known: KnownValues
  /** Whether an RRset must hold no other values. */
  isExact: (key: RRsetKey) => boolean
}

/**
 * Sends steps to the provider in as few calls as possible. `separate`: steps are independent, so when the provider refuses
 * a batch as a whole, its halves are tried, down to the edit that causes it. `run`: gets the number of completed steps, and
 * may cut off those not sent yet. A failure of the provider is part of the result.
 */
export async function sendSteps(
  connection: ProviderConnection,
  zone: Zone,
  steps: Step[],
  {
    separate,
    run,
    siblings,
  }: {
    separate: boolean
    run?: Pick<OperationRun, 'cutOff' | 'progress'>
    siblings?: Knowledge
  },
): Promise<Sent> {
  const { capabilities } = connection.provider
  const { edits: wanted, parts } = toEdits(steps, capabilities)
  const seen = new Map<string, UnknownValues>()
  const edits = siblings ? wanted.map((edit) => watched(edit, siblings, seen)) : wanted
  const results = new Map<MemberChange, ChangeOutcome>()
  const failures: ProviderError[] = []
  const lastParts = new Set([...parts.values()].flatMap((changes) => changes.at(-1) ?? []))
  const slice = takeSlices()
  // After the first batch, sending continues during a stop while there is time; an operation until it is cut off.
  let stop = run?.cutOff ?? connection.stopping.begun
  let done = 0
  // Later steps may depend on the failed one.
  const isBroken = () => failures.length > 0 && !separate
  const isLate = () => Date.now() >= connection.lastTry
  const send = async (batch: RRsetEdit[]) => {
    stop = run?.cutOff ?? connection.stopping.cutOff
    await sendBatch(connection, zone, batch, separate, (change, outcome) => {
      results.set(change, outcome)
      if (!outcome.ok) failures.push(outcome.error)
      else if (lastParts.has(change)) done++
    })
    run?.progress(done)
    await slice()
  }
  await inParallel(
    groupsOf(edits, connection.provider),
    connection.provider.parallelWrites ?? 1,
    async (group) => {
      for (const batch of group) if (!stop.aborted && !isBroken() && !isLate()) await send(batch)
    },
  )
  const unsent = stop.aborted
    ? 'Not sent because the service stopped'
    : isBroken()
      ? 'Not sent because an earlier change failed'
      : 'Not sent because the provider was too slow for one request'
  if (!isBroken() && edits.some(({ changes }) => changes.some((change) => !results.has(change))))
    failures.push(!stop.aborted ? tooSlow() : results.size > 0 || run ? cutOff() : new ServiceStopping())
  const isComplete = separate || failures.length === 0
  const outcomes = steps.map((step): StepOutcome => {
    const sent = (parts.get(step) ?? []).map((part) => results.get(part))
    if (sent.length === 0 && isComplete) return { outcome: 'applied', providerId: step.providerId }
    return outcomeOf(sent, unsent)
  })
  return { outcomes, failure: failures[0] ?? null, seen: [...seen.values()] }
}

/** Batches that can be sent at the same time; a batch of several edits is one call, or is divided by its adapter. */
function groupsOf(
  edits: readonly RRsetEdit[],
  { capabilities, parallelWrites = 1 }: Pick<Provider, 'capabilities' | 'parallelWrites'>,
): Iterable<RRsetEdit[]>[] {
  const batches = batchesOf(edits, capabilities)
  if (parallelWrites === 1 || capabilities.maxBatch > 1) return [batches]
  return independentGroups([...batches], (batch) => batch)
}

/** Adds the known values of its RRset to an edit. The adapter may report other values several times; the last counts. */
function watched(
  edit: RRsetEdit,
  { known, isExact }: Knowledge,
  seen: Map<string, UnknownValues>,
): RRsetEdit {
  const key = rrsetKey(edit)
  const { name, type, routing } = edit
  return {
    ...edit,
    known: known.get(key) ?? [],
    ...(isExact(edit) && { exact: true }),
    found: (values) => void seen.set(key, { name, type, ...(routing && { routing }), values }),
  }
}

async function sendBatch(
  connection: ProviderConnection,
  zone: Zone,
  batch: RRsetEdit[],
  separate: boolean,
  report: (change: MemberChange, outcome: ChangeOutcome) => void,
): Promise<void> {
  try {
    const outcomes = await connection.change((adapter) =>
      writeEdits(adapter, zone, batch, {
        lastTry: connection.lastTry,
        cutOff: connection.stopping.cutOff,
      }),
    )
    batch.forEach((edit, i) =>
      edit.changes.forEach((change, j) => report(change, outcomes[i]?.[j] ?? missing())),
    )
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const refused = error.kind === 'rejected' || error.kind === 'conflict'
    if (separate && refused && batch.length > 1) {
      const middle = Math.ceil(batch.length / 2)
      for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
        await sendBatch(connection, zone, half, separate, report)
      }
      return
    }
    for (const change of batch.flatMap((edit) => edit.changes)) report(change, { ok: false, error })
  }
}

/** The outcome of a change that an adapter does not mention. */
const missing = (): ChangeOutcome => ({
  ok: false,
  error: new ProviderError('unavailable', 'The provider did not report the outcome of the change', {
    outcome: 'unknown',
  }),
})

const cutOff = () =>
  new ProviderError('unavailable', 'The service stopped before all changes were sent', {
    outcome: 'not_applied',
  })

const tooSlow = () =>
  new ProviderError('timeout', 'The provider was too slow to send all changes in one request', {
    outcome: 'not_applied',
  })

/** Maps steps to edits of RRsets, and each step to its changes: one, or two when a record moves. */
export function toEdits(steps: Step[], has: Held): { edits: RRsetEdit[]; parts: Map<Step, MemberChange[]> } {
  const edits = new Map<string, RRsetEdit>()
  const parts = new Map<Step, MemberChange[]>()
  const editOf = (content: RecordContent): RRsetEdit => {
    const edit = edits.get(rrsetKey(content)) ?? newEdit(content)
    edits.set(rrsetKey(content), edit)
    return edit
  }
  const replaced = replacedContents(steps)
  for (const step of steps) {
    const changes = toChanges(step, replaced, has)
    parts.set(
      step,
      changes.map(({ change }) => change),
    )
    for (const { content, change } of changes) editOf(content).changes.push(change)
    // If an RRset loses one value and gains another, the new TTL counts.
    if (step.after && changes.length > 0) editOf(step.after).ttl = step.after.ttl
  }
  // Removals first: a value may move from one record to another in one call.
  const isRemoval = ({ action }: MemberChange) => Number(action === 'remove')
  for (const { changes } of edits.values()) changes.sort((a, b) => isRemoval(b) - isRemoval(a))
  return { edits: [...edits.values()], parts }
}

/** What a provider stores for a record besides its value. */
type Held = Pick<Capabilities, 'comments' | 'ttlOf'>

const newEdit = ({ name, type, routing, ttl, extra }: RecordContent): RRsetEdit => ({
  name,
  type,
  ttl,
  ...(routing && { routing }),
  ...(extra?.set !== undefined && { extra: extra.set }),
  changes: [],
})

/** Returns the contents that one step removes and another adds. */
function replacedContents(steps: Step[]): Set<string> {
  const isSame = ({ before, after }: Step) => before && after && memberKey(before) === memberKey(after)
  const moving = steps.filter((step) => !isSame(step))
  const added = new Set(moving.flatMap(({ after }) => (after ? [memberKey(after)] : [])))
  const removed = moving.flatMap(({ before }) => (before ? [memberKey(before)] : []))
  return new Set(removed.filter((key) => added.has(key)))
}

function toChanges(
  { before, after, providerId }: Step,
  replaced: Set<string>,
  has: Held,
): { content: RecordContent; change: MemberChange }[] {
  if (before && after && isHeldAlike(before, after, has)) return []
  const stands = before && after && rrsetKey(before) === rrsetKey(after)
  // In a chain (this record's old value is another's new one) the order of replacements would matter.
  const chained = before && after && (replaced.has(memberKey(before)) || replaced.has(memberKey(after)))
  if (stands && !chained) {
    const change = {
      action: 'replace',
      from: memberOf(before, providerId, has),
      to: memberOf(after, null, has),
    } as const
    return [{ content: after, change }]
  }
  return [
    ...(before
      ? [
          {
            content: before,
            change: { action: 'remove', member: memberOf(before, providerId, has) } as const,
          },
        ]
      : []),
    ...(after
      ? [{ content: after, change: { action: 'add', member: memberOf(after, null, has) } as const }]
      : []),
  ]
}

/** Whether both look the same to a provider, so that there is nothing to send. */
const isHeldAlike = (before: RecordContent, after: RecordContent, { comments }: Held) =>
  memberKey(before) === memberKey(after) &&
  before.ttl === after.ttl &&
  before.proxied === after.proxied &&
  before.enabled === after.enabled &&
  (!comments || before.comment === after.comment) &&
  isDeepStrictEqual(before.extra, after.extra)

/** A step is applied when all its parts are, and pending when the outcome of a part is unknown. */
function outcomeOf(parts: (ChangeOutcome | undefined)[], unsent: string): StepOutcome {
  const failed = parts.flatMap((part) => (part && !part.ok ? [part.error] : []))
  const done = parts.flatMap((part) => (part?.ok ? [part.providerId] : []))
  const halfDone = done.length > 0 && done.length < parts.length
  if (halfDone || failed.some((error) => error.outcome === 'unknown')) return { outcome: 'pending' }
  if (failed[0]) {
    const { message, code } = toldOf(failed[0])
    return { outcome: 'failed', error: message, code }
  }
  if (done.length === 0) return { outcome: 'failed', error: unsent, code: 'change_unsent' }
  return { outcome: 'applied', providerId: done.at(-1) ?? null }
}
