import { Type } from '@sinclair/typebox'
import { Timestamp } from '../scalars.ts'

/** How far ahead a change can be scheduled. */
export const MAX_DAYS_AHEAD = 90

export const ApplyAt = Type.Unsafe<string>({
  ...Timestamp,
  description:
    'When to apply it, at most 90 days ahead. It is planned again at that time, and fails if it would do something else than was shown',
  examples: ['2026-12-04T22:00:00Z'],
})

export const ConfirmWithin = Type.Integer({
  minimum: 1,
  maximum: 1440,
  description:
    'Minutes. Once applied, the change is reverted unless it is confirmed (`confirmChange`) within this time',
  examples: [15],
})

/** Members of a body that applies changes at a time, or only if they are confirmed. */
export const laterFields = {
  applyAt: Type.Optional(ApplyAt),
  confirmWithin: Type.Optional(ConfirmWithin),
}

/** When to apply a change, and whether it has to be confirmed. */
export interface Later {
  /** ISO 8601; missing: now. */
  applyAt?: string | undefined
  /** Minutes; missing: it needs no confirmation. */
  confirmWithin?: number | undefined
}
