import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { deleteLongEnded } from './queries.ts'
import { requestRoutes } from './routes.requests.ts'
import { transferRoutes } from './routes.transfer.ts'
import { routes } from './routes.ts'
import { Assignment, AssignmentRequest } from './schemas.ts'

const UPKEEP_SECONDS = 3600

/** Delegation of domains, and of parts of them, to users; and their requests for it. */
const assignments: FastifyPluginAsync = async (app) => {
  for (const schema of [Assignment, AssignmentRequest]) app.addSchema(schema)
  await app.register(routes)
  await app.register(requestRoutes)
  await app.register(transferRoutes)
  app.timers.every(UPKEEP_SECONDS, 'ended assignments', () => deleteLongEnded(app.jobsDb))
}

export default fp(assignments, {
  name: 'assignments',
  encapsulate: true,
  dependencies: ['db', 'events', 'timers', 'access', 'domains', 'users'],
})
