import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { enrolDomains } from './checking/check-queries.ts'
import { checkQueue } from './checking/checking.ts'
import { backgroundContext } from './context.ts'
import { observeFindings } from './gauges.ts'
import { routes } from './routes.ts'
import { DomainHealth, HealthFinding } from './schemas.ts'

const ENROL_SECONDS = 60

/** Health of domains: what is wrong with their records, delegation and registration. */
const domainHealth: FastifyPluginAsync = async (app) => {
  for (const schema of [HealthFinding, DomainHealth]) app.addSchema(schema)
  app.work.queue(checkQueue(backgroundContext(app)))
  app.work.every(ENROL_SECONDS, 'domain-health.enrol', () => enrolDomains(app.jobsDb))
  observeFindings(app)
  for (const audience of [SIGNED_IN, OPEN_API]) {
    await app.register(routes, { prefix: audience.base, audience })
  }
}

export default fp(domainHealth, {
  name: 'domain-health',
  encapsulate: true,
  dependencies: ['db', 'dns', 'metrics', 'events', 'work', 'access', 'domains', 'records'],
})
