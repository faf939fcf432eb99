import { DomainNotFound } from '../domain-names.ts'
import { ZonekeeperError } from '../typescript/index.ts'
import { printable } from '../printable.ts'

/** What the caller can mend by another call, said without asking the service. */
export class Refusal extends Error {}

/** Faults of a body, and conflicts, that one answer names. */
const SHOWN = 20

/**
 * What was thrown, in words for an assistant: the problem of the service with its code, or that there is no service.
 * Rejects with whatever else it is, a fault of ours.
 */
export function explain(error: unknown): string[] {
  if (error instanceof Refusal || error instanceof DomainNotFound) return [error.message]
  if (error instanceof ZonekeeperError) return problemLines(error)
  // What fetch rejects with when there is no answer.
  if (error instanceof TypeError && error.cause !== undefined)
    return ['Zonekeeper does not answer; try again later']
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
    ...(changeId ? [`What was done of it is change ${changeId} of the history`] : []),
    ...(retryAfter === null ? [] : [`Try again in ${Math.ceil(retryAfter)} s`]),
  ]
}
