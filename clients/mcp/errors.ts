import { DomainNotFound } from '../domain-names.ts'
import { ZonekeeperError } from '../typescript/index.ts'
import { printable } from '../printable.ts'

/** An error that the caller can fix with another call, raised without calling the service. */
export class Refusal extends Error {}

/** Number of faults and conflicts shown. */
const SHOWN = 20

/** Explains an error to an assistant: the problem with its code, or that the service can't be reached. Throws bugs again. */
export function explain(error: unknown): string[] {
  if (error instanceof Refusal || error instanceof DomainNotFound) return [error.message]
  if (error instanceof ZonekeeperError) return problemLines(error)
  // The error with which fetch rejects without an answer.
  if (error instanceof TypeError && error.cause !== undefined)
    return ['Zonekeeper cannot be reached. Try again later.']
  throw error
}

function problemLines({ status, code, message, errors, problem, retryAfter }: ZonekeeperError): string[] {
  const { conflicts = [], changeId } = (problem ?? {}) as {
    conflicts?: { detail: string }[]
    changeId?: string
  }
  return [
    `${printable(message)} (${code ?? status})`,
    ...errors.slice(0, SHOWN).map((fault) => printable(`${fault.path}: ${fault.message}`)),
    ...conflicts.slice(0, SHOWN).map(({ detail }) => printable(detail)),
    ...(changeId ? [`The part that was applied is change ${changeId} in the history`] : []),
    ...(retryAfter === null ? [] : [`Try again in ${Math.ceil(retryAfter)} s`]),
  ]
}
