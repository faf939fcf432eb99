import { AppError, conflict, unavailable } from '../errors.ts'
import type { ReasonCode } from '../../../schemas/codes/reason-codes.ts'

/** `changeId` is the change of records that the first request waits for, if there is one yet. */
export const firstUnderWay = (changeId?: string) =>
  new AppError(409, 'conflict', 'The first request with this Idempotency-Key is still in progress', {
    extra: { reason: 'first_request_under_way' satisfies ReasonCode, ...(changeId && { changeId }) },
    headers: { 'retry-after': '1' },
  })

export const firstFailed = () =>
  conflict('The first request with this Idempotency-Key has just failed; send the request again', {
    reason: 'first_request_failed',
  })

export const keyUsed = () =>
  conflict('This Idempotency-Key was used for a different request; use a new key', { reason: 'key_used' })

/** This run took so much time that a repeat replaced it. */
export const takenOver = () =>
  unavailable('A repeat of this request took over its Idempotency-Key; this one changed nothing', {
    seconds: 1,
  })
