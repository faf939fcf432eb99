import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SIGN_IN_LIMIT } from '../../plugins/security/rate-limit/rate-limit.ts'
import { setRefreshCookie, signInClientOf, type CookieSettings } from '../auth/browser.ts'
import { flowCookieOf } from './flow/cookie.ts'
import { known } from './identity-providers/registry.ts'
import {
  CallbackAddresses,
  ProviderParams,
  PublicProviders,
  RegisterAnswer,
  RegisterBody,
  TicketBody,
} from './schemas.ts'
import { callbackAddresses, exchangeTicket, listPublicProviders, registerExternally } from './service.ts'
import { TicketAnswer } from '../../schemas/people/sign-in.ts'

const tags = ['External sign-in']

/** External sign-in for the pages of the site. */
export const routes: FastifyPluginAsyncTypebox<{ cookieSettings: CookieSettings }> = async (
  app,
  { cookieSettings },
) => {
  const { siteUrl } = cookieSettings

  app.get('/providers', {
    config: { access: 'public' },
    schema: {
      operationId: 'listSignInProviders',
      tags,
      summary: 'List enabled identity providers',
      description:
        'For the buttons of a sign-in page: only enabled ones, and nothing secret. Requires no sign-in.',
      response: { 200: PublicProviders },
    },
    handler: () => listPublicProviders(app),
  })

  app.get('/:providerId/callback-url', {
    config: { access: 'public' },
    schema: {
      operationId: 'getCallbackUrl',
      tags,
      summary: 'Get the addresses to register at the identity provider',
      description:
        'The addresses are made from SITE_URL and are the same whether or not the provider is set up yet; an id that there is not is 404.',
      params: ProviderParams,
      response: { 200: CallbackAddresses },
    },
    handler: async (request) => callbackAddresses(app, known(request.params.providerId)),
  })

  app.post('/exchange-ticket', {
    config: { access: 'public', rateLimit: { ...SIGN_IN_LIMIT, groupId: 'sign-in' }, errors: [401] },
    schema: {
      operationId: 'exchangeTicket',
      tags,
      summary: 'Exchange the ticket of the redirect for a session',
      description:
        'For the browser that signed in, with its cookie. Sets the refresh cookie. If the account ' +
        'has a second factor, returns `requires2FA`, `tempToken` and `methods` instead: continue with ' +
        '`POST /api/2fa/verify`.',
      body: TicketBody,
      response: { 200: TicketAnswer },
    },
    handler: async (request, reply) => {
      const cookie = flowCookieOf(request, siteUrl)
      const result = await exchangeTicket(app, signInClientOf(request), request.body.ticket, cookie)
      if (result.outcome === 'second_factor') return result
      const { outcome, issued, user } = result
      const { accessToken, expiresIn } = setRefreshCookie(reply, cookieSettings, issued)
      return { outcome, accessToken, expiresIn, user }
    },
  })

  app.post('/:providerId/register', {
    config: {
      access: 'public',
      rateLimit: { ...SIGN_IN_LIMIT, groupId: 'register' },
      errors: [401, 403, 409],
    },
    schema: {
      operationId: 'registerExternally',
      tags,
      summary: 'Create an account with an invitation after external sign-in, and sign in',
      description:
        'For the browser that signed in, with its cookie. Sets the refresh cookie. An invalid code does ' +
        'not use up the pending token.',
      params: ProviderParams,
      body: RegisterBody,
      response: { 201: RegisterAnswer },
    },
    handler: async (request, reply) => {
      const { pendingToken, inviteCode, code, username } = request.body
      const { issued, user } = await registerExternally(
        app,
        signInClientOf(request),
        known(request.params.providerId),
        { pendingToken, inviteCode: inviteCode ?? code, username },
        flowCookieOf(request, siteUrl),
      )
      const { accessToken, expiresIn } = setRefreshCookie(reply, cookieSettings, issued)
      return { accessToken, expiresIn, user }
    },
  })
}
