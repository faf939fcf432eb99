import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { auditArchive } from './archive.ts'
import { routes } from './routes.ts'

/** The audit log. */
export default fp(
  async (app) => {
    app.retention.limit(auditArchive(app.jobsDb))
    for (const audience of [SIGNED_IN, OPEN_API]) {
      await app.register(routes, { prefix: audience.base, audience })
    }
  },
  {
    name: 'audit',
    encapsulate: true,
    dependencies: ['db', 'access', 'retention'],
  },
)
