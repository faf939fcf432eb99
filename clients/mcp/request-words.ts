import { printable } from '../printable.ts'
import type { ChangeRequest, ChangeRequestItem } from '../typescript/index.ts'
import { effectLine, MAX_TEXT } from './words.ts'

/** Maximum characters of a request that can be approved, because it has to be shown in full. */
const MAX_REQUEST = MAX_TEXT - 1_000

/** Returns the line of a change request in a list. */
export function requestLine(request: ChangeRequestItem): string {
  const { id, domainName, title, status, revision, author, created, updated, deleted, canApprove } = request
  const counts = `+${created} ~${updated} -${deleted}`
  const mine = canApprove ? ', you may approve it' : ''
  return printable(
    `${domainName}: ${title} (${status}, by ${author.name}, ${counts}, revision ${revision}${mine}, id ${id})`,
  )
}

/** Returns a change request with its plan as a diff, warnings, and what happened to it. */
export function requestLines(request: ChangeRequest): string[] {
  const { reason, plan, problem, changeId, timeline } = request
  return [
    requestLine(request),
    ...(reason === '' ? [] : [`Why: ${printable(reason)}`]),
    ...[...plan.deletes, ...plan.updates, ...plan.creates].map(effectLine),
    ...plan.warnings.map(({ message }) => `Warning: ${printable(message)}`),
    ...(problem ? [`Not applied: ${printable(problem.detail)}`] : []),
    ...timeline.map(({ at, by, kind, text }) =>
      printable(`${at} ${by?.name ?? 'Zonekeeper'} ${kind}${text === '' ? '' : `: ${text}`}`),
    ),
    ...(changeId === null ? [] : [`Change ${changeId} in the history`]),
  ]
}

export const isWholeRequest = (request: ChangeRequest): boolean =>
  requestLines(request).join('\n').length <= MAX_REQUEST
