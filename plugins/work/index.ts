import fp from 'fastify-plugin'
import { createAfterResponse, type AfterResponse } from './after-response.ts'
import { createDueTimes, type DueTimes } from './due-times.ts'
import { createLeases, type Leases } from './leases.ts'
import { createQueue, type Queue, type QueueOptions } from './queue.ts'
import { createTasks, type Tasks } from './tasks.ts'
import { createTimers, type Timers } from './timers.ts'

declare module 'fastify' {
  interface FastifyInstance {
    work: Work
    leases: Leases
    dueTimes: DueTimes
  }
}

/** Background work: scheduled tasks and work queues in the database, timers and small work of this instance. */
export interface Work extends Tasks, Timers, AfterResponse {
  /** Works on rows with a due time, see `QueueOptions`; begins at once and drains when the service stops. */
  queue<Row extends object | string>(options: QueueOptions<Row>): Queue
}

export default fp<{ alone: boolean }>(
  async (app, { alone }) => {
    const timers = createTimers(app)
    app.decorate('dueTimes', createDueTimes(app, timers))
    app.decorate('leases', createLeases(app, timers, alone))
    app.decorate('work', {
      ...timers,
      ...createAfterResponse(app),
      ...createTasks(app, timers),
      queue: (options) => createQueue(app, timers, options),
    } satisfies Work)
  },
  { name: 'work', dependencies: ['db', 'metrics', 'events'] },
)
