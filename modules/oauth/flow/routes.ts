import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { anonymous } from '../../../plugins/security/access/index.ts'
import { UPSTREAM_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { finishFlow } from './callback.ts'
import type { OAuthContext } from '../context.ts'
import { flowCookieOf, setFlowCookie } from './cookie.ts'
import { landing } from './outcome.ts'
import type { ProviderId } from '../identity-providers/contract.ts'
import { known } from '../identity-providers/registry.ts'
import { CallbackQuery, ProviderParams, ToProvider, ToSite } from '../schemas.ts'
import { startSignIn } from '../service.ts'

const tags = ['External sign-in']

const config = { access: 'public', rateLimit: { ...UPSTREAM_LIMIT, groupId: 'external-sign-in' } } as const
const callbackConfig = {
  ...config,
  ignoresUnknown: 'identity providers add their own parameters',
} as const

/** Routes for browsers on the way to an identity provider and back: the answer is always a redirect. */
export const authorizationFlowRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/:providerId/authorize', {
    exposeHeadRoute: false,
    config,
    schema: {
      operationId: 'authorizeExternally',
      tags,
      summary: 'Redirect to the identity provider to sign in',
      description:
        'To be opened in a browser, not fetched: redirects to the identity provider and sets a cookie required for the callback, valid for 10 minutes. A provider that is not enabled redirects back to the site with an error.',
      params: ProviderParams,
      response: { 302: ToProvider },
    },
    handler: async (request, reply) => {
      const providerId = known(request.params.providerId)
      const cookie = setFlowCookie(request, reply, app.installation.url)
      return reply.redirect(await startSignIn(app, providerId, cookie), 302)
    },
  })

  app.get('/:providerId/callback', {
    // HEAD would use up the state.
    exposeHeadRoute: false,
    // A malformed query has an outcome too.
    attachValidation: true,
    config: callbackConfig,
    schema: {
      operationId: 'externalCallback',
      tags,
      summary: 'Callback of the identity provider',
      description:
        'Called by browsers only. The answer is always a redirect to `/auth/callback` of the site, whose query has the outcome; a state works once, for the browser that started.',
      params: ProviderParams,
      querystring: CallbackQuery,
      response: { 302: ToSite },
    },
    handler: (request, reply) => comeBack(app, request, reply, known(request.params.providerId)),
  })
}

/** The callback shared by `oidc` and `custom`; outside /api, for a short address to register. */
export const shortCallback: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/oauth/oidc', {
    exposeHeadRoute: false,
    attachValidation: true,
    config: callbackConfig,
    schema: {
      operationId: 'oidcCallback',
      tags,
      summary: 'Callback of oidc and custom; the state selects the provider',
      description:
        'The same as the callback under `/api/auth/oauth`, at the short address registered with providers of the kinds oidc and custom. A reverse proxy must forward it.',
      querystring: CallbackQuery,
      response: { 302: ToSite },
    },
    handler: (request, reply) => comeBack(app, request, reply, null),
  })
}

async function comeBack(
  context: OAuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  providerId: ProviderId | null,
) {
  const { installation } = context
  // From the raw request line, so that repeated parameters are detected.
  const query = new URL(request.raw.url ?? '/', 'http://localhost').searchParams
  const returned = { providerId, query, cookie: flowCookieOf(request, installation.url) }
  const outcome = await finishFlow(context, anonymous(request), returned)
  if (outcome.kind === 'pending') setFlowCookie(request, reply, installation.url)
  return reply.redirect(landing(installation, outcome), 302)
}
