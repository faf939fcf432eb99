import { AppError, conflict } from '../../../plugins/http/errors.ts'

export const planNotFound = (id: string) =>
  new AppError(
    404,
    'not_found',
    `No plan ${id}; a plan is kept for an hour for the user who made it, and can be applied once`,
  )

export const planTooLarge = () =>
  new AppError(413, 'payload_too_large', 'This plan is too large to keep; split the changes')

/** Returns a 409 that names the change or operation that applied the plan. */
export const planApplied = (by: { changeId: string | null; operationId: string | null }) => {
  const { changeId, operationId } = by
  return conflict('This plan has already been applied', {
    reason: 'plan_applied',
    ...(changeId !== null && { changeId }),
    ...(operationId !== null && { operationId }),
  })
}
