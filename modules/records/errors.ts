import { AppError, conflict, forbidden, invalid, notFound } from '../../plugins/errors.ts'
import { toSnapshot } from './mapper.ts'
import type { Refusal } from './plan.ts'

/** The answer when a single change can't be done. */
export function refusalError(refusal: Refusal): AppError {
  if (refusal.kind === 'invalid') return invalid(...refusal.errors)
  if (refusal.kind === 'forbidden') return forbidden(refusal.detail)
  if (refusal.kind === 'not_found') return new AppError(404, 'not_found', refusal.detail)
  const key = refusal.kind === 'outdated' ? 'current' : 'record'
  const { code: reason, params } = refusal
  return conflict(refusal.detail, {
    reason,
    ...(params && { params }),
    ...(refusal.record && { [key]: toSnapshot(refusal.record) }),
  })
}

export const recordNotFound = (id: string) => notFound('record', id)

/** The records of the domain, or its provider, changed since what is asked for was planned. */
export class PlanOutdated extends AppError {
  constructor() {
    super(409, 'plan_outdated', 'The domain was changed since this was planned: plan it again')
  }
}

export const stillBusy = (names: string[]) =>
  conflict(`Another change of ${names.slice(0, 5).join(', ')} is still under way; try again`, {
    reason: 'names_busy',
    params: { names: names.slice(0, 5) },
  })

/** Rejects with 412 (RFC 9110 section 13.1.1) where the domain's records are at none of the versions, if there are some. */
export function requireVersion(
  { name, record_version: version }: { name: string; record_version: number },
  versions: readonly number[] | undefined,
): void {
  if (versions === undefined || versions.includes(version)) return
  throw new AppError(412, 'precondition_failed', `The records of ${name} were changed since`)
}
