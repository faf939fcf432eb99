import type { FastifyInstance } from 'fastify'
import { boundAll, type DueTime } from './due-times-queries.ts'
import type { Timers } from './timers.ts'

/**
 * Bounds every stored due time by the longest delay its row can have. A clock that was briefly ahead has stored times
 * that are hours away: without this, their rows would wait until then.
 */
export interface DueTimes {
  bound(due: DueTime): void
}

const CHECK_SECONDS = 5

export function createDueTimes(app: FastifyInstance, timers: Timers): DueTimes {
  const dueTimes: DueTime[] = []
  timers.everyInstance(CHECK_SECONDS, 'due times', async () => {
    if (dueTimes.length > 0) await boundAll(app.jobsDb, dueTimes)
  })
  return { bound: (due) => void dueTimes.push(due) }
}
