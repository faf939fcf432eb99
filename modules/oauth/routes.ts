import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { anonymous, originOf } from '../../plugins/security/access/index.ts'
import { SIGN_IN_LIMIT } from '../../plugins/security/rate-limit/rate-limit.ts'
import { setRefreshCookie, type CookieSettings } from '../auth/cookie.ts'
import type { SignInClient } from '../auth/sign-in.ts'
import { flowCookieOf } from './flow/cookie.ts'
import { known } from './identity-providers/known.ts'
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
import { addressOf } from '../../plugins/security/addresses.ts'

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
      const outcome = await exchangeTicket(app, clientOf(request), request.body.ticket, cookie)
      if (outcome.kind === 'second_factor') {
        return {
          outcome: 'second_factor' as const,
          requires2FA: true as const,
          tempToken: outcome.tempToken,
          methods: outcome.methods,
        }
      }
      const { issued, user } = outcome
      setRefreshCookie(reply, cookieSettings, issued.refreshToken, issued.cookieSeconds)
      const { accessToken, expiresIn } = issued
      return { outcome: 'signed_in' as const, accessToken, expiresIn, user }
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
        anonymous(request),
        clientOf(request),
        known(request.params.providerId),
        { pendingToken, inviteCode: inviteCode ?? code, username },
        flowCookieOf(request, siteUrl),
      )
      setRefreshCookie(reply, cookieSettings, issued.refreshToken, issued.cookieSeconds)
      return reply.send({ accessToken: issued.accessToken, expiresIn: issued.expiresIn, user })
    },
  })
}

const clientOf = (request: FastifyRequest): SignInClient => ({
  ip: addressOf(request),
  userAgent: request.headers['user-agent'] ?? '',
  origin: originOf(request, false),
  requestId: request.id,
  remember: false,
})
