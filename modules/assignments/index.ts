import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { deleteLongEndedTransfers, expireTransfers } from '../domains/service.ts'
import { deleteLongEnded, KEPT_DAYS } from './queries.ts'
import { requestRoutes } from './request-routes.ts'
import { transferRoutes } from './transfer-routes.ts'
import { routes } from './routes.ts'
import { Assignment, AssignmentRequest } from './schemas.ts'
import { DomainTransfer } from './transfer-schemas.ts'

const UPKEEP_SECONDS = 3600
const EXPIRY_SECONDS = 300

/** Permissions of users on domains and parts of them, requests for permissions, and transfers of domains. */
const assignments: FastifyPluginAsync = async (app) => {
  for (const schema of [Assignment, AssignmentRequest, DomainTransfer]) app.addSchema(schema)
  for (const audience of [SIGNED_IN, OPEN_API]) {
    const options = { prefix: audience.base, audience }
    await app.register(routes, options)
    await app.register(requestRoutes, options)
    await app.register(transferRoutes, options)
  }
  app.work.every(EXPIRY_SECONDS, 'transfers.expire', () =>
    app.jobsDb.transaction().execute((trx) => expireTransfers(trx)),
  )
  app.work.every(UPKEEP_SECONDS, 'transfers.cleanup', () => deleteLongEndedTransfers(app.jobsDb, KEPT_DAYS))
  app.work.every(UPKEEP_SECONDS, 'assignments.cleanup', () => deleteLongEnded(app.jobsDb))
}

export default fp(assignments, {
  name: 'assignments',
  encapsulate: true,
  dependencies: ['db', 'events', 'work', 'access', 'domains', 'users'],
})
