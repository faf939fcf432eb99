import { conflict } from '../../../plugins/http/errors.ts'

export { MAX_DAYS_AHEAD } from '../../../schemas/records/later.ts'

/** How long after its time a change is still tried, while the provider is down or names are busy. */
export const GIVEN_UP_SECONDS = 3_600
/** Between two attempts. */
export const PAUSE_SECONDS = 15

export const missedTime = () =>
  conflict('The time of this change has passed, so nothing was done', { reason: 'missed_time' })
