import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { once } from '../../../plugins/http/idempotency/key.ts'
import { UPSTREAM_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import {
  createProviderConfig,
  deleteProviderConfig,
  listProviderConfigs,
  readProviderConfig,
  testProviderConfig,
  updateProviderConfig,
} from './administration.ts'
import {
  ConfirmHeaders,
  CreateProviderBody,
  OAuthProviderConfig,
  OAuthProviderConfigs,
  ProviderTestReport,
  UpdateProviderBody,
} from '../schemas.ts'

const tags = ['Identity providers']

/** Administration of identity providers. */
export const adminRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/providers', {
    config: { access: 'user' },
    schema: {
      operationId: 'listOAuthProviders',
      tags,
      summary: 'List configurations, available kinds, and addresses to register',
      description:
        'For all signed-in users. Client ids are masked and secrets are not returned. `availableProviders` are the kinds without a configuration.',
      response: { 200: OAuthProviderConfigs },
    },
    handler: () => listProviderConfigs(app),
  })

  app.post('/providers', {
    config: { access: 'admin', errors: [409] },
    schema: {
      operationId: 'createOAuthProvider',
      tags,
      summary: 'Set up an identity provider',
      description:
        'oidc requires `wellKnownUrl`; custom requires `authorizeUrl`, `tokenUrl` and `userInfoUrl`; the others ' +
        'have defaults, which you can replace (for your own installation).',
      body: CreateProviderBody,
      response: { 201: OAuthProviderConfig },
    },
    handler: async (request, reply) => {
      const { providerId, ...input } = request.body
      const caller = callerOf(request)
      const config = await once(caller, () => createProviderConfig(app, caller, providerId, input))
      return reply.header('location', `/api/oauth/providers/${config.id}`).send(config)
    },
  })

  app.get('/providers/:id', {
    config: { access: 'user' },
    schema: {
      operationId: 'getOAuthProvider',
      tags,
      summary: 'Get one configuration, with the client id masked',
      description: 'For all signed-in users. The secret is not returned.',
      params: IdParams,
      response: { 200: OAuthProviderConfig },
    },
    handler: (request) => readProviderConfig(app, request.params.id),
  })

  app.put('/providers/:id', {
    config: { ifMatch: true, access: 'admin' },
    schema: {
      operationId: 'updateOAuthProvider',
      tags,
      summary: 'Change a configuration; missing fields, and an empty id or secret, stay unchanged',
      description:
        "For administrators. `providerId` can't change; null removes an endpoint. The secret must be re-entered if the address of discovery, tokens or user info changes (400). Invalid combinations are 400, but the provider is not called: test it with `POST /api/oauth/providers/{id}/test`.",
      params: IdParams,
      body: UpdateProviderBody,
      response: { 200: OAuthProviderConfig },
    },
    handler: (request) => updateProviderConfig(app, callerOf(request), request.params.id, request.body),
  })

  app.delete('/providers/:id', {
    config: { ifMatch: true, access: 'admin', errors: [409] },
    schema: {
      operationId: 'deleteOAuthProvider',
      tags,
      summary: 'Delete a configuration and its linked identities',
      description:
        'For administrators. If users have linked identities, 409 `confirmation_required` with their number in `boundUsers`, unless the header `x-confirm-delete: true` is sent. Users without another way to sign in then need a new password.',
      params: IdParams,
      headers: ConfirmHeaders,
      response: { 204: Type.Null() },
    },
    handler: async (request) => {
      const confirmed = request.headers['x-confirm-delete'] === 'true'
      await deleteProviderConfig(app, callerOf(request), request.params.id, confirmed)
    },
  })

  app.post('/providers/:id/test', {
    config: { access: 'admin', rateLimit: { ...UPSTREAM_LIMIT, groupId: 'upstream' } },
    schema: {
      operationId: 'testOAuthProvider',
      tags,
      summary: 'Test discovery, keys, endpoints and credentials',
      description:
        'For administrators. Returns 200 with the result of each check, even if some fail; nothing is changed.',
      params: IdParams,
      response: { 200: ProviderTestReport },
    },
    handler: (request) => testProviderConfig(app, callerOf(request), request.params.id),
  })
}
