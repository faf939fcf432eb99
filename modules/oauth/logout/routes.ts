import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { anonymous } from '../../../plugins/security/access/index.ts'
import { endByProvider } from './logout.ts'
import { known } from '../identity-providers/registry.ts'
import { LogoutBody, LogoutProblem, ProviderParams } from '../schemas.ts'

const FORM = 'application/x-www-form-urlencoded'

/** More than one person causes; a provider that signs out many people sends one request each. */
const LOGOUT_LIMIT = { max: 300, timeWindow: 60_000, groupId: 'back-channel-logout' } as const

/** Called by identity providers when a user signs out there. */
export const logoutRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) => {
    const fields = new URLSearchParams(body as string)
    // The specification allows the field once.
    const tokens = fields.getAll('logout_token')
    done(null, tokens.length === 1 ? { logout_token: tokens[0] } : {})
  })

  app.post('/:providerId/backchannel-logout', {
    config: {
      access: 'public',
      rateLimit: LOGOUT_LIMIT,
      errors: [404],
      problem: LogoutProblem,
      ignoresUnknown: 'identity providers may add their own parameters',
    },
    schema: {
      operationId: 'backChannelLogout',
      tags: ['External sign-in'],
      summary: 'End the sessions of a user who signed out at the identity provider',
      description:
        'Called by OpenID providers (OpenID Connect Back-Channel Logout 1.0). The token must be signed by the provider, issued for this client in the last 5 minutes, and not used before. Ends the sessions started by that sign-in (`sid`), or all sessions started by signing in there as `sub`, with their event streams.',
      consumes: [FORM],
      params: ProviderParams,
      body: LogoutBody,
      response: { 200: Type.Null({ description: 'The sessions have ended, or there were none' }) },
    },
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store')
      await endByProvider(
        app,
        anonymous(request),
        known(request.params.providerId),
        request.body.logout_token,
      )
      return reply.send(null)
    },
  })
}
