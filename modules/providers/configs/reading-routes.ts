import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { Catalogue, ProviderConfig, ProviderConfigs } from './schemas.ts'
import { catalogue, listProviderConfigs, readProviderConfig } from './service.ts'

/** The catalogue and the configurations, to be read: under /api and under /api/v1. */
export const readingRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, accountRule, tags, operationId } },
) => {
  app.get(
    '/providers',
    {
      config: { ...rule('providers:read') },
      schema: {
        operationId: operationId('listProviders'),
        tags: tags('DNS providers'),
        summary: 'The catalogue: kinds of DNS hosts, their credentials and what they can do',
        description:
          'For everybody who is signed in. `credentialSchema` is a JSON Schema with titles, enough to draw the form; `capabilities` say what the kind of host can do.',
        response: { 200: Catalogue },
      },
    },
    async () => catalogue(app),
  )

  app.get(
    '/provider-configs',
    {
      config: { ...accountRule('providers:read') },
      schema: {
        operationId: operationId('listProviderConfigs'),
        tags: tags('DNS providers'),
        summary: 'The own configurations; for administrators all',
        description: 'Credentials are masked. A member sees their own, an administrator all.',
        response: { 200: ProviderConfigs },
      },
    },
    (request) => listProviderConfigs(app, callerOf(request)),
  )

  app.get(
    '/provider-configs/:id',
    {
      config: { ...accountRule('providers:read') },
      schema: {
        operationId: operationId('getProviderConfig'),
        tags: tags('DNS providers'),
        summary: 'One configuration, secrets masked',
        description: 'For its owner and administrators; for others it is 404.',
        params: IdParams,
        response: { 200: ProviderConfig },
      },
    },
    (request) => readProviderConfig(app, callerOf(request), request.params.id),
  )
}
