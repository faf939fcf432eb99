import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { failoverContext } from './context.ts'
import { evaluate } from './deciding/evaluate.ts'
import { settle } from './deciding/settle.ts'
import { upkeep } from './deciding/upkeep.ts'
import { routes } from './routes.ts'
import { FailoverMonitor } from './answer-schemas.ts'
import { DEFAULT_TIMES, SETTLE_SECONDS, UPKEEP_SECONDS, type FailoverTimes } from './times.ts'
import { forgetDeadInstances } from './watching/verdict-queries.ts'
import { watchMonitors } from './watching/watcher.ts'

/** Instances that ended without taking themselves back are kept this long. */
const DEAD_SECONDS = 3_600

/** Failover: alternatives of an RRset, checked on every instance. */
const failover: FastifyPluginAsync<{ failoverTimes?: FailoverTimes }> = async (
  app,
  { failoverTimes: times = DEFAULT_TIMES },
) => {
  app.addSchema(FailoverMonitor)
  const context = failoverContext(app, times)
  watchMonitors(app, times, (id) => evaluate(context, id))
  app.work.every(SETTLE_SECONDS, 'failover.settle', () => settle(context))
  app.work.every(UPKEEP_SECONDS, 'failover.upkeep', async (stopping) => {
    await upkeep(context, stopping)
    await forgetDeadInstances(app.jobsDb, DEAD_SECONDS)
  })
  for (const audience of [SIGNED_IN, OPEN_API]) {
    await app.register(routes, { prefix: audience.base, audience, times })
  }
}

export default fp(failover, {
  name: 'failover',
  encapsulate: true,
  dependencies: ['db', 'events', 'work', 'access', 'domains', 'records', 'probe', 'dns'],
})
