import fp from 'fastify-plugin'
import { boundAll, type DueTime } from './due-times-queries.ts'

declare module 'fastify' {
  interface FastifyInstance {
    dueTimes: DueTimes
  }
}

/**
 * Bounds every stored due time by the longest delay that its row can have. A clock that was ahead for a moment has
 * stored times that are hours away: without that, what they are about would stand still until then.
 */
interface DueTimes {
  bound(due: DueTime): void
}

const CHECK_SECONDS = 5

export default fp(
  async (app) => {
    const dueTimes: DueTime[] = []
    app.decorate('dueTimes', { bound: (due) => void dueTimes.push(due) } satisfies DueTimes)
    app.timers.every(CHECK_SECONDS, 'due times', async () => {
      if (dueTimes.length > 0) await boundAll(app.jobsDb, dueTimes)
    })
  },
  { name: 'due-times', dependencies: ['db', 'timers'] },
)
