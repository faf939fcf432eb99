import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { prepareStart } from './planning.ts'
import { templateRoutes } from './routes.ts'
import { Template } from './schemas.ts'
import { sharedTemplates } from './service.ts'

/** Record templates with variables, for one or many domains and for new ones. */
export default fp(
  async (app) => {
    app.addSchema(Template)
    app.ownership.push(sharedTemplates)
    app.newDomains.prepare = (caller, template) => prepareStart(app, caller, template)
    for (const audience of [SIGNED_IN, OPEN_API]) {
      await app.register(templateRoutes, { prefix: `${audience.base}/templates`, audience })
    }
  },
  {
    name: 'templates',
    encapsulate: true,
    dependencies: ['db', 'access', 'ownership', 'new-domains', 'records'],
  },
)
