import { AppError, conflict, forbidden, invalid, notFound } from '../../plugins/http/errors.ts'
import { preconditionFailed, type WithCondition } from '../../plugins/http/if-match.ts'
import { toSnapshot } from './list/mapper.ts'
import { toPlan } from './plan/plan-mapper.ts'
import type { Refusal } from './plan/plan-outcome.ts'

/** Requested changes can't be done, for these reasons; answered with the first. */
export class ChangesRefused extends AppError {
  readonly refusals: readonly Refusal[]

  constructor(refusals: readonly Refusal[], caller?: WithCondition) {
    const { status, code, message, ...more } = refusalError(refusals[0] as Refusal, caller)
    super(status, code, message, more)
    this.refusals = refusals
  }
}

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

/** Returns an error with all conflicts, so that a client can show them. */
export function refuseAll(refusals: readonly Refusal[]): Error {
  const detail = refusals
    .map((refusal) => `change ${refusal.index}: ${refusal.detail}`)
    .slice(0, 5)
    .join('; ')
  const { conflicts } = toPlan({ steps: [], refusals: [...refusals], warnings: [] }, null)
  if (refusals.every(({ kind }) => kind === 'invalid')) {
    return invalid(
      ...refusals.flatMap(({ index, errors }) =>
        errors.map((error) => ({ ...error, path: `/changes/${index}${error.path}` })),
      ),
    )
  }
  if (refusals.some(({ kind }) => kind === 'forbidden')) {
    return new AppError(403, 'forbidden', detail, { extra: { conflicts } })
  }
  return conflict(detail, { conflicts })
}

export const recordNotFound = (id: string) => notFound('record', id)

/** A kept plan would do something else now than was shown. `extra`: what it would do now. */
export const planOutdated = (extra: Record<string, unknown> = {}) =>
  new AppError(
    409,
    'plan_outdated',
    'This plan would now do something else than was shown, so nothing was done; make a new plan',
    { extra },
  )

export const stillBusy = (names: string[]) =>
  conflict(`Another change of ${names.slice(0, 5).join(', ')} is in progress; try again`, {
    reason: 'names_busy',
    params: { names: names.slice(0, 5) },
  })

/** Whether a change that comes to nothing now could be made a little later: names are busy, or something is away. */
export const isPassing = (error: unknown): boolean =>
  !(error instanceof AppError) ||
  error.code === 'unavailable' ||
  error.code === 'rate_limited' ||
  error.extra['reason'] === 'names_busy'

/** Whether the records are no longer as when a stored plan was shown. */
export const isOutdated = (error: unknown): boolean =>
  error instanceof AppError &&
  (error.code === 'plan_outdated' ||
    error.extra['reason'] === 'unknown_siblings' ||
    (error instanceof ChangesRefused && error.code !== 'forbidden'))
