import type { ChangeRequest } from '../../typescript/index.ts'
import { printable } from '../../printable.ts'
import { linesOfRecords } from '../terminal/plan-view.ts'
import { minuteOf } from '../terminal/table.ts'
import type { Session } from '../session.ts'

/** Prints a change request: its author and reason, its plan grouped by name, warnings, and what happened to it. */
export async function showRequest(session: Session, request: ChangeRequest): Promise<void> {
  const { domainName, title, status, revision, author, reason, plan, problem, changeId, timeline } = request
  await session.say(`${domainName}: ${printable(title)}`)
  await session.say(`${status}, revision ${revision}, by ${printable(author.name)}, id ${request.id}`)
  if (reason !== '') await session.say(`Why: ${printable(reason)}`)
  const changes = [...plan.deletes, ...plan.updates, ...plan.creates].sort(byName)
  await session.say(
    `${plan.creates.length} to create, ${plan.updates.length} to update, ${plan.deletes.length} to delete`,
  )
  for (const line of linesOfRecords(session, changes)) await session.say(line)
  for (const { message } of plan.warnings)
    await session.say(session.paint('yellow', `! ${printable(message)}`))
  if (problem) await session.say(session.paint('red', `x ${printable(problem.detail)}`))
  for (const { at, by, kind, text } of timeline) {
    const remark = text === '' ? '' : `: ${printable(text)}`
    await session.say(`${minuteOf(at)}  ${printable(by?.name ?? 'Zonekeeper')} ${kind}${remark}`)
  }
  if (changeId !== null) await session.say(`Change ${changeId} in the history`)
}

type Effect = ChangeRequest['plan']['updates'][number]

const nameOf = ({ before, after }: Effect): string => (before ?? after)?.name ?? ''

/** The sort is stable: within a name, deleted records stay before created ones. */
const byName = (a: Effect, b: Effect): number => nameOf(a).localeCompare(nameOf(b), 'en')
