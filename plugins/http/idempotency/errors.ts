import { AppError, conflict, unavailable } from '../errors.ts'
import type { ReasonCode } from '../../../schemas/reason-codes.ts'

/** `changeId`: the change of records that it waits for, where it has come that far. */
export const firstUnderWay = (changeId?: string) =>
  new AppError(409, 'conflict', 'The first request with this Idempotency-Key is still in progress', {
    extra: { reason: 'first_request_under_way' satisfies ReasonCode, ...(changeId && { changeId }) },
    headers: { 'retry-after': '1' },
  })

export const firstFailed = () =>
  conflict('The first request with this Idempotency-Key has just failed; send it again', {
    reason: 'first_request_failed',
  })

export const keyUsed = () =>
  conflict('This Idempotency-Key was used for another request', { reason: 'key_used' })

/** This run stood still for so long that a repeat does its work. */
export const takenOver = () =>
  unavailable('A repeat of this request has taken over its Idempotency-Key; this one did nothing', {
    seconds: 1,
  })
