import { AppError, conflict, forbidden, invalid, notFound } from '../../plugins/http/errors.ts'
import { preconditionFailed, type WithCondition } from '../../plugins/http/if-match.ts'
import { toSnapshot } from './list/mapper.ts'
import type { Refusal } from './plan/plan.ts'

/** The answer when a single change can't be done. */
export function refusalError(refusal: Refusal, { ifMatch }: WithCondition = {}): AppError {
  if (refusal.kind === 'invalid') return invalid(...refusal.errors)
  if (refusal.kind === 'forbidden') return forbidden(refusal.detail)
  if (refusal.kind === 'not_found') return new AppError(404, 'not_found', refusal.detail)
  if (refusal.kind === 'outdated' && ifMatch !== undefined) {
    return preconditionFailed(refusal.detail, refusal.record ? { current: toSnapshot(refusal.record) } : {})
  }
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
