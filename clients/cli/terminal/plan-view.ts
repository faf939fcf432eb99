import type { AcceptedOperation, Plan, RecordContent, Zonekeeper } from '../../typescript/index.ts'
import { printable } from '../../printable.ts'
import { EXIT, CliError } from '../failures.ts'
import { followed } from './progress.ts'
import { confirm } from './questions.ts'
import { laterOf } from '../requests/later.ts'
import { bypassOf, requestInstead } from '../requests/review.ts'
import type { Session } from '../session.ts'
import { createTable } from './table.ts'

interface Line {
  sign: '+' | '~' | '-'
  content: RecordContent
  note: string
}

const COLOURS = { '+': 'green', '~': 'yellow', '-': 'red' } as const

/** Prints a plan: one line per record, then warnings and conflicts. */
export async function showPlan(session: Session, domain: string, plan: Plan): Promise<void> {
  const { creates, updates, deletes, conflicts, warnings } = plan
  await session.say(
    `${domain}: ${creates.length} to create, ${updates.length} to update, ${deletes.length} to delete`,
  )
  const changes = [...deletes, ...updates, ...creates]
  for (const line of linesOfRecords(session, changes)) await session.say(line)
  for (const { message } of warnings) await session.say(session.paint('yellow', `! ${printable(message)}`))
  for (const { detail } of conflicts) await session.say(session.paint('red', `x ${printable(detail)}`))
}

interface Changed {
  before: RecordContent | null
  after: RecordContent | null
}

/** Returns a line for each created, updated or deleted record. */
export function linesOfRecords(session: Session, changes: Changed[]): string[] {
  const { stdout } = session.terminal
  const table = createTable<Line>(
    [
      { title: '', of: ({ sign }) => sign },
      { title: '', of: ({ content }) => content.name, long: true },
      { title: '', of: ({ content }) => content.recordType },
      { title: '', of: ({ content }) => content.ttl },
      { title: '', of: ({ content }) => content.value, long: true },
      { title: '', of: ({ note }) => note, long: true },
    ],
    stdout.isTTY === true ? (stdout.columns ?? 80) : null,
  )
  const lines = changes.flatMap(lineOf)
  // The first line has the titles, which are empty.
  const [, ...shown] = lines.length > 0 ? table.lines(lines) : []
  return shown.map((line, index) => session.paint(COLOURS[(lines[index] as Line).sign], line))
}

function lineOf({ before, after }: Changed): Line[] {
  if (before && after) return [{ sign: '~', content: after, note: `was ${differing(before, after)}` }]
  if (after) return [{ sign: '+', content: after, note: '' }]
  return before ? [{ sign: '-', content: before, note: '' }] : []
}

/** Returns the fields that differ from before. */
function differing(before: RecordContent, after: RecordContent): string {
  const fields = ['name', 'recordType', 'value', 'ttl', 'comment', 'enabled', 'proxied'] as const
  const changed = fields.filter((field) => before[field] !== after[field])
  return changed
    .map((field) => (field === 'value' ? before.value : `${field} ${String(before[field])}`))
    .join(', ')
}

export const isEmpty = ({ creates, updates, deletes }: Plan): boolean =>
  creates.length + updates.length + deletes.length === 0

interface Target {
  id: string
  name: string
}

/**
 * Shows a kept plan, asks for confirmation, and applies it. `answer` is the API's answer, for --json. Rejects with CliError if
 * the plan has conflicts or the user declines.
 */
export async function confirmAndApply(
  session: Session,
  client: Zonekeeper,
  domain: Target,
  plan: Plan,
  answer: unknown = plan,
): Promise<void> {
  const { options } = session
  const isNothing = isEmpty(plan)
  const mayDo = options.yes === true && plan.conflicts.length === 0 && !isNothing
  if (!options.json) await showPlan(session, domain.name, plan)
  else if (!mayDo) await session.answer(answer)
  if (plan.conflicts.length > 0)
    throw new CliError(EXIT.refused, 'Nothing was changed, because the plan has conflicts')
  if (isNothing) return options.json ? undefined : session.say('Nothing to change.')
  const { planId } = plan
  if (!planId)
    throw new CliError(EXIT.refused, 'Nothing was changed: a file with no records does not empty a domain')
  await confirm(
    session,
    'Apply?',
    `add --yes, or run "zonekeeper apply ${domain.name} ${planId}" within the hour`,
  )
  await applyPlan(session, client, domain, planId)
}

/** Applies a kept plan and waits for the outcome, or opens a change request if it needs a review and the user wants one. */
export async function applyPlan(
  session: Session,
  client: Zonekeeper,
  domain: Target,
  planId: string,
): Promise<void> {
  try {
    const answer = await client.POST('/api/v1/domains/{id}/records/apply', {
      path: { id: domain.id },
      body: { planId, ...bypassOf(session.options), ...laterOf(session.options) },
    })
    await (isAccepted(answer) ? followToEnd(session, client, answer) : showApplied(session, domain, answer))
  } catch (error) {
    await requestInstead(session, client, domain, planId, error)
  }
}

export const isAccepted = (answer: object): answer is AcceptedOperation => 'operation' in answer

async function showApplied(session: Session, { name }: Target, plan: Plan): Promise<void> {
  if (session.options.json) return session.answer(plan)
  const { changeId, scheduled, applyAt, confirmBy } = plan
  if (scheduled)
    return session.say(
      `Scheduled for ${applyAt}. To cancel it: zonekeeper changes cancel ${name} ${changeId}`,
    )
  if (confirmBy)
    return session.say(
      `Done. It is reverted at ${confirmBy} unless you confirm it: zonekeeper changes confirm ${name} ${changeId}`,
    )
  await session.say(`Done. To revert it: zonekeeper undo, change ${changeId}`)
}

async function followToEnd(session: Session, client: Zonekeeper, accepted: AcceptedOperation): Promise<void> {
  const operation = await followed(session, client, accepted)
  if (session.options.json) await session.answer(operation)
  const { outcome, done, total, changeId, problem } = operation
  if (outcome === 'succeeded') {
    if (!session.options.json)
      await session.say(`Done: ${done} changes. To revert them: zonekeeper undo, change ${changeId}`)
    return
  }
  const why = printable(problem?.detail ?? 'unknown reason')
  const rest =
    outcome === 'partly' && changeId !== null
      ? `; "zonekeeper retry" applies the rest: change ${changeId}`
      : ''
  throw new CliError(EXIT.failed, `${done} of ${total} changes applied: ${why}${rest}`)
}
