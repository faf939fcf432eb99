import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/audience.ts'
import { deleteLongEnded } from './queries.ts'
import { requestRoutes } from './routes.requests.ts'
import { transferRoutes } from './routes.transfer.ts'
import { routes } from './routes.ts'
import { Assignment, AssignmentRequest } from './schemas.ts'

const UPKEEP_SECONDS = 3600

/** Delegation of domains, and of parts of them, to users; and their requests for it. */
const assignments: FastifyPluginAsync = async (app) => {
  for (const schema of [Assignment, AssignmentRequest]) app.addSchema(schema)
  for (const audience of [SIGNED_IN, OPEN_API]) {
    const options = { prefix: audience.base, audience }
    await app.register(routes, options)
    await app.register(requestRoutes, options)
    await app.register(transferRoutes, options)
  }
  app.timers.every(UPKEEP_SECONDS, 'ended assignments', () => deleteLongEnded(app.jobsDb))
}

export default fp(assignments, {
  name: 'assignments',
  encapsulate: true,
  dependencies: ['db', 'events', 'timers', 'access', 'domains', 'users'],
})
