import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import { SIGN_IN_LIMIT } from '../../plugins/security/rate-limit/rate-limit.ts'
import { listOwnBindings, startBinding, unbind } from './bindings.ts'
import { setFlowCookie } from './flow/cookie.ts'
import { known } from './identity-providers/registry.ts'
import { BindAnswer, Bindings, ProviderParams } from './schemas.ts'
import { ReauthenticationBody } from '../../schemas/people/sign-in.ts'

const tags = ['External sign-in']
const rateLimit = { ...SIGN_IN_LIMIT, groupId: 'password' }

/** Identities of the signed-in user. */
export const bindingRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/bindings', {
    config: { access: 'user' },
    schema: {
      operationId: 'listBindings',
      tags,
      summary: 'List identities linked to your account',
      description:
        'An identity is identified by its provider and its subject there; two accounts never share one.',
      response: { 200: Bindings },
    },
    handler: (request) => listOwnBindings(app, callerOf(request)),
  })

  app.post('/:providerId/bind/start', {
    // The address in the answer belongs to the cookie sent with it.
    config: { access: 'user', rateLimit, secretAnswer: true, errors: [409, 502] },
    schema: {
      operationId: 'startBinding',
      tags,
      summary: 'Start linking an identity: returns the address to send the browser to',
      description: 'Requires a sign-in in the last 10 minutes, or the password.',
      params: ProviderParams,
      body: ReauthenticationBody,
      response: { 200: BindAnswer },
    },
    handler: async (request, reply) => {
      const providerId = known(request.params.providerId)
      const cookie = setFlowCookie(request, reply, app.installation.url)
      return startBinding(app, callerOf(request), providerId, { cookie, password: request.body?.password })
    },
  })

  app.delete('/unbind/:providerId', {
    config: { access: 'user', rateLimit, errors: [409] },
    schema: {
      operationId: 'unbind',
      tags,
      summary: 'Unlink an identity, unless it is the last way to sign in',
      description: 'Requires a sign-in in the last 10 minutes, or the password.',
      params: ProviderParams,
      body: ReauthenticationBody,
      response: { 204: Type.Null() },
    },
    handler: async (request) => {
      const providerId = known(request.params.providerId)
      await unbind(app, callerOf(request), providerId, request.body?.password)
    },
  })
}
