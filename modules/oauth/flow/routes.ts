import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { anonymous } from '../../../plugins/security/access/index.ts'
import { UPSTREAM_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { finishFlow } from './callback.ts'
import type { OAuthContext } from '../context.ts'
import { flowCookieOf, setFlowCookie } from './cookie.ts'
import { landing } from './outcome.ts'
import type { ProviderId } from '../identity-providers/contract.ts'
import { known } from '../identity-providers/known.ts'
import { CallbackQuery, ProviderParams, ToProvider, ToSite } from '../schemas.ts'
import { startSignIn } from '../service.ts'

const tags = ['External sign-in']

const config = { access: 'public', rateLimit: { ...UPSTREAM_LIMIT, groupId: 'external-sign-in' } } as const
const callbackConfig = {
  ...config,
  ignoresUnknown: 'identity providers add parameters of their own',
} as const

/** Where browsers pass on their way to an identity provider and back: the answer is always a redirect. */
export const authorizationFlowRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/:providerId/authorize',
    {
      exposeHeadRoute: false,
      config,
      schema: {
        operationId: 'authorizeExternally',
        tags,
        summary: 'Go to the identity provider to sign in',
        description:
          'For a browser to go to, not to be fetched: answers a redirect to the identity provider and sets a cookie that the way back needs, good for 10 minutes. A provider that is not enabled leads back to the site with an error.',
        params: ProviderParams,
        response: { 302: ToProvider },
      },
    },
    async (request, reply) => {
      const providerId = known(request.params.providerId)
      const cookie = setFlowCookie(request, reply, app.installation.url)
      return reply.redirect(await startSignIn(app, providerId, cookie), 302)
    },
  )

  app.get(
    '/:providerId/callback',
    {
      // HEAD would spend the state.
      exposeHeadRoute: false,
      // A malformed query has an outcome too.
      attachValidation: true,
      config: callbackConfig,
      schema: {
        operationId: 'externalCallback',
        tags,
        summary: 'Where the identity provider sends the browser back to',
        description:
          'Called by browsers alone. Whatever happened, the answer is a redirect to `/auth/callback` of the site, whose query says it; a state counts once, for the browser that began.',
        params: ProviderParams,
        querystring: CallbackQuery,
        response: { 302: ToSite },
      },
    },
    (request, reply) => comeBack(app, request, reply, known(request.params.providerId)),
  )
}

/** The callback that `oidc` and `custom` share; outside of /api, so that it is short to register. */
export const shortCallback: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/oauth/oidc',
    {
      exposeHeadRoute: false,
      attachValidation: true,
      config: callbackConfig,
      schema: {
        operationId: 'oidcCallback',
        tags,
        summary: 'The callback of oidc and custom; the state says which',
        description:
          'The same as the callback under `/api/auth/oauth`, at the short address that is registered at providers of the kinds oidc and custom. A reverse proxy must pass it on.',
        querystring: CallbackQuery,
        response: { 302: ToSite },
      },
    },
    (request, reply) => comeBack(app, request, reply, null),
  )
}

async function comeBack(
  context: OAuthContext,
  request: FastifyRequest,
  reply: FastifyReply,
  providerId: ProviderId | null,
) {
  const { installation } = context
  // Straight from the request line: what is there twice must be seen twice.
  const query = new URL(request.raw.url ?? '/', 'http://localhost').searchParams
  const returned = { providerId, query, cookie: flowCookieOf(request, installation.url) }
  const outcome = await finishFlow(context, anonymous(request), returned)
  if (outcome.kind === 'pending') setFlowCookie(request, reply, installation.url)
  return reply.redirect(landing(installation, outcome), 302)
}
