import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { Catalogue, ProviderConfig, ProviderConfigs } from './schemas.ts'
import { catalogue, listProviderConfigs, readProviderConfig } from './service.ts'

/** Reading the catalogue and provider connections: under /api and /api/v1. */
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
        summary: 'List the kinds of DNS providers, with credentials and capabilities',
        description:
          'For all signed-in users. `credentialSchema` is a JSON Schema with titles, enough to generate a form; `capabilities` describe what the provider supports.',
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
        summary: 'List your provider connections; administrators get all',
        description: 'Credentials are masked. Members see their own connections, administrators all.',
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
        summary: 'Get a provider connection, with masked secrets',
        description: 'For its owner and administrators; 404 for others.',
        params: IdParams,
        response: { 200: ProviderConfig },
      },
    },
    (request) => readProviderConfig(app, callerOf(request), request.params.id),
  )
}
