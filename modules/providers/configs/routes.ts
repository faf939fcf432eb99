import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { once } from '../../../plugins/http/idempotency/key.ts'
import { UPSTREAM_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import {
  Catalogue,
  ProviderConfig,
  ProviderConfigs,
  CreateConfigBody,
  TestReport,
  UpdateConfigBody,
} from './schemas.ts'
import {
  catalogue,
  listProviderConfigs,
  readProviderConfig,
  createProviderConfig,
  deleteProviderConfig,
  testProviderConfig,
  tryProviderConfig,
  updateProviderConfig,
} from './service.ts'

/** Changing and testing provider connections: under /api and /api/v1. */
export const routes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, accountRule, tags, operationId } },
) => {
  app.post('/provider-configs', {
    config: { ...accountRule('providers:write') },
    schema: {
      operationId: operationId('createProviderConfig'),
      tags: tags('DNS providers'),
      summary: 'Create a provider connection',
      description:
        'It belongs to the caller, or to `ownerId`, which administrators can set. The credentials are stored encrypted; only their format is checked. Test them with `POST /api/provider-configs/{id}/test`.',
      body: CreateConfigBody,
      response: { 201: ProviderConfig },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const config = await once(caller, () => createProviderConfig(app, caller, request.body))
      return reply.code(201).header('location', `${base}/provider-configs/${config.id}`).send(config)
    },
  })

  app.post('/provider-configs/test', {
    config: {
      ...accountRule('providers:write'),
      rateLimit: { ...UPSTREAM_LIMIT, groupId: 'upstream' },
      secretAnswer: true,
    },
    schema: {
      operationId: operationId('tryProviderConfig'),
      tags: tags('DNS providers'),
      summary: 'Test credentials before storing them',
      description:
        'Takes the body of `createProviderConfig`, calls the DNS provider with it, and returns the result. Nothing is stored.',
      body: CreateConfigBody,
      response: { 200: TestReport },
    },
    handler: (request) => tryProviderConfig(app, callerOf(request), request.body),
  })

  app.put('/provider-configs/:id', {
    config: { ifMatch: true, ...accountRule('providers:write') },
    schema: {
      operationId: operationId('updateProviderConfig'),
      tags: tags('DNS providers'),
      summary:
        'Rename a provider connection, or change its credentials; missing and empty fields stay unchanged',
      description:
        "For its owner and administrators. Masked credentials stay unchanged, too; but if an address changes, secrets must be re-entered (400). The kind of provider can't change. Changes apply from the next call to the provider.",
      params: IdParams,
      body: UpdateConfigBody,
      response: { 200: ProviderConfig },
    },
    handler: (request) => updateProviderConfig(app, callerOf(request), request.params.id, request.body),
  })

  app.delete('/provider-configs/:id', {
    config: { ifMatch: true, ...accountRule('providers:write'), errors: [409] },
    schema: {
      operationId: operationId('deleteProviderConfig'),
      tags: tags('DNS providers'),
      summary: 'Delete a provider connection that no domain uses',
      description:
        'For its owner and administrators. Nothing changes at the DNS provider. 409 while a domain uses it.',
      params: IdParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await deleteProviderConfig(app, callerOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })

  app.post('/provider-configs/:id/test', {
    config: { ...accountRule('providers:test'), rateLimit: { ...UPSTREAM_LIMIT, groupId: 'upstream' } },
    schema: {
      operationId: operationId('testProviderConfig'),
      tags: tags('DNS providers'),
      summary: 'Test the stored credentials',
      description:
        'For its owner and administrators. Returns 200 with `success` and, on failure, the reason; nothing is stored. Limited to 60 calls a minute together with other calls to DNS providers.',
      params: IdParams,
      response: { 200: TestReport },
    },
    handler: (request) => testProviderConfig(app, callerOf(request), request.params.id),
  })
}

/** Reading the catalogue and provider connections: under /api and /api/v1. */
export const readingRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, accountRule, tags, operationId } },
) => {
  app.get('/providers', {
    config: { ...rule('providers:read') },
    schema: {
      operationId: operationId('listProviders'),
      tags: tags('DNS providers'),
      summary: 'List the kinds of DNS providers, with credentials and capabilities',
      description:
        'For all signed-in users. `credentialSchema` is a JSON Schema with titles, enough to generate a form; `capabilities` describe what the provider supports.',
      response: { 200: Catalogue },
    },
    handler: async () => catalogue(app),
  })

  app.get('/provider-configs', {
    config: { ...accountRule('providers:read') },
    schema: {
      operationId: operationId('listProviderConfigs'),
      tags: tags('DNS providers'),
      summary: 'List your provider connections; administrators get all',
      description: 'Credentials are masked. Members see their own connections, administrators all.',
      response: { 200: ProviderConfigs },
    },
    handler: (request) => listProviderConfigs(app, callerOf(request)),
  })

  app.get('/provider-configs/:id', {
    config: { ...accountRule('providers:read') },
    schema: {
      operationId: operationId('getProviderConfig'),
      tags: tags('DNS providers'),
      summary: 'Get a provider connection, with masked secrets',
      description: 'For its owner and administrators; 404 for others.',
      params: IdParams,
      response: { 200: ProviderConfig },
    },
    handler: (request) => readProviderConfig(app, callerOf(request), request.params.id),
  })
}
