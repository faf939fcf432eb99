import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { backgroundContext } from '../records/service.ts'
import { requestQueue, settle } from './applying.ts'
import { deleteLongEnded } from './state-queries.ts'
import { routes } from './routes.ts'
import { ChangeRequest, ChangeRequestItem } from './schemas.ts'

const SETTLE_SECONDS = 5
const UPKEEP_SECONDS = 3600
const KEPT_DAYS = 400

/** Change requests: changes of records that a second person approves. */
const changeRequests: FastifyPluginAsync = async (app) => {
  for (const schema of [ChangeRequest, ChangeRequestItem]) app.addSchema(schema)
  app.work.queue(requestQueue(backgroundContext(app)))
  app.work.every(SETTLE_SECONDS, 'change-requests.settle', () => settle(app.jobsDb))
  app.work.every(UPKEEP_SECONDS, 'change-requests.cleanup', () => deleteLongEnded(app.jobsDb, KEPT_DAYS))
  for (const audience of [SIGNED_IN, OPEN_API]) {
    await app.register(routes, { prefix: audience.base, audience })
  }
}

export default fp(changeRequests, {
  name: 'change-requests',
  encapsulate: true,
  dependencies: ['db', 'events', 'work', 'access', 'domains', 'records'],
})
