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

/** Which identity providers there are to sign in with. */
export const adminRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/providers',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'listOAuthProviders',
        tags,
        summary: 'The configurations, what else there could be, and the addresses to register',
        description:
          'For everybody who is signed in. Client ids are masked and secrets not shown. `availableProviders` are the kinds that have no configuration yet.',
        response: { 200: OAuthProviderConfigs },
      },
    },
    () => listProviderConfigs(app),
  )

  app.post(
    '/providers',
    {
      config: { access: 'admin', errors: [409] },
      schema: {
        operationId: 'createOAuthProvider',
        tags,
        summary: 'Set up an identity provider',
        description:
          'oidc needs `wellKnownUrl`; custom needs `authorizeUrl`, `tokenUrl` and `userInfoUrl`; the others ' +
          'bring theirs along, and take others in their place (an installation of your own).',
        body: CreateProviderBody,
        response: { 201: OAuthProviderConfig },
      },
    },
    async (request, reply) => {
      const { providerId, ...input } = request.body
      const caller = callerOf(request)
      const config = await once(caller, () => createProviderConfig(app, caller, providerId, input))
      return reply.code(201).header('location', `/api/oauth/providers/${config.id}`).send(config)
    },
  )

  app.get(
    '/providers/:id',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'getOAuthProvider',
        tags,
        summary: 'One configuration, the client id masked',
        description: 'For everybody who is signed in. The secret is not shown.',
        params: IdParams,
        response: { 200: OAuthProviderConfig },
      },
    },
    (request) => readProviderConfig(app, request.params.id),
  )

  app.put(
    '/providers/:id',
    {
      config: { ifMatch: true, access: 'admin' },
      schema: {
        operationId: 'updateOAuthProvider',
        tags,
        summary: 'Change a configuration; what is missing, and an empty id or secret, stays',
        description:
          'For administrators. `providerId` stays; null takes an endpoint off. The secret must be given again when the address of discovery, of tokens or of the user info changes (400). What is wrong as a whole is 400, but nobody is asked: try it with `POST /api/oauth/providers/{id}/test`.',
        params: IdParams,
        body: UpdateProviderBody,
        response: { 200: OAuthProviderConfig },
      },
    },
    (request) => updateProviderConfig(app, callerOf(request), request.params.id, request.body),
  )

  app.delete(
    '/providers/:id',
    {
      config: { ifMatch: true, access: 'admin', errors: [409] },
      schema: {
        operationId: 'deleteOAuthProvider',
        tags,
        summary: 'Delete a configuration, and with it the bindings to it',
        description:
          'For administrators. While users have identities bound it is 409 `confirmation_required` with their number in `boundUsers`, until the header `x-confirm-delete: true` comes. Who has no other way in then needs a new password.',
        params: IdParams,
        headers: ConfirmHeaders,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const confirmed = request.headers['x-confirm-delete'] === 'true'
      await deleteProviderConfig(app, callerOf(request), request.params.id, confirmed)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/providers/:id/test',
    {
      config: { access: 'admin', rateLimit: { ...UPSTREAM_LIMIT, groupId: 'upstream' } },
      schema: {
        operationId: 'testOAuthProvider',
        tags,
        summary: 'Try discovery, keys, endpoints and credentials now, without a person',
        description:
          'For administrators. Answers 200 with what was tried and how it went, in words, also when something is wrong; nothing is changed.',
        params: IdParams,
        response: { 200: ProviderTestReport },
      },
    },
    (request) => testProviderConfig(app, callerOf(request), request.params.id),
  )
}
