import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { anonymous, bearer, callerOf } from '../../plugins/security/access/index.ts'
import { AppError } from '../../plugins/http/errors.ts'
import { SIGN_IN_LIMIT } from '../../plugins/security/rate-limit/rate-limit.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { LoginAnswer } from '../../schemas/people/sign-in.ts'
import { CurrentUser } from '../../schemas/people/user.ts'
import {
  clearRefreshCookie,
  knownDevice,
  refreshTokenOf,
  setRefreshCookie,
  signInClientOf,
  startSessionIn,
  type CookieSettings,
} from './browser.ts'
import { sessionOver } from './errors.ts'
import {
  CurrentUserAnswer,
  LoginBody,
  PasswordBody,
  ProfileAnswer,
  ProfileBody,
  RefreshAnswer,
  RefreshBody,
  SessionsAnswer,
} from './schemas.ts'
import { findUserByLogin } from '../users/service.ts'
import { announceSlowedDown } from './security-notices.ts'
import { createOwnAccounts } from './own-account.ts'
import { changePassword, login, updateProfile } from './service.ts'
import {
  endOwnSession,
  endSessionOfToken,
  endSessionOfUser,
  endSessions,
  listSessions,
  refreshSession,
} from './sessions.ts'
import { addressOf } from '../../plugins/security/addresses.ts'

const NoContent = Type.Null()

/** Repeated guessing must not fill the owner's notification list. */
const SLOWED_DOWN_NOTICES = { max: 1, timeWindow: 24 * 3600 * 1000 } as const

const loginName = (request: FastifyRequest) =>
  (request.body as { username: string }).username.trim().toLowerCase()

export const routes: FastifyPluginAsyncTypebox<{ cookieSettings: CookieSettings }> = async (
  app,
  { cookieSettings },
) => {
  const accounts = createOwnAccounts(app)
  // Attempts at one account count together, for all its names and client addresses; a browser the user has
  // signed in from counts separately.
  const accountLimit = app.createRateLimit({
    ...SIGN_IN_LIMIT,
    keyGenerator: async (request) => {
      const user = await findUserByLogin(app.db, loginName(request))
      const device = user && knownDevice(request, app.secrets, user.id)
      return device ? `device:${device}` : `account:${user?.id ?? loginName(request)}`
    },
  })
  const noticeLimit = app.createRateLimit({
    ...SLOWED_DOWN_NOTICES,
    keyGenerator: async (request) => {
      const user = await findUserByLogin(app.db, loginName(request))
      return `slowed-down:${user?.id ?? loginName(request)}`
    },
  })

  app.post('/login', {
    config: { access: 'public', rateLimit: { ...SIGN_IN_LIMIT, groupId: 'sign-in' }, errors: [401, 503] },
    schema: {
      operationId: 'login',
      tags: ['Sign-in'],
      summary: 'Sign in with user name and password',
      description:
        'Returns the tokens and the user. If the account has a second factor, returns `requires2FA`, ' +
        '`tempToken` and `methods` instead; continue with `POST /api/2fa/verify`.',
      body: LoginBody,
      response: { 200: LoginAnswer },
    },
    handler: async (request, reply) => {
      const limit = await accountLimit(request)
      if (!limit.isAllowed && limit.isExceeded) {
        const notice = await noticeLimit(request)
        if (notice.isAllowed || !notice.isExceeded) {
          app.work.afterResponse('notice of a limit', () =>
            announceSlowedDown(app, loginName(request), addressOf(request)),
          )
        }
        throw tooManyTries(limit.ttlInSeconds)
      }
      const result = await login(app, signInClientOf(request, request.body.rememberMe), request.body)
      if (result.outcome === 'second_factor') return result
      const { outcome } = result
      return { outcome, ...startSessionIn(reply, app.secrets, cookieSettings, result) }
    },
  })

  app.post('/refresh', {
    config: { access: 'public', credentials: ['refreshCookie'], errors: [401, 403] },
    schema: {
      operationId: 'refresh',
      tags: ['Sign-in'],
      summary: 'Get a new access token and the next refresh token, with the refresh cookie (or the body)',
      description:
        'Accepts the cookie, from pages of this site only (403 for others), or `refreshToken` in the body. Each refresh token works once: reusing it after 10 seconds ends its session, because someone else may have it. The new token is in the answer and in the cookie.',
      body: RefreshBody,
      response: { 200: RefreshAnswer },
    },
    handler: async (request, reply) => {
      const token = refreshTokenOf(request, cookieSettings, request.body?.refreshToken)
      if (token === undefined) throw sessionOver()
      const issued = await refreshSession(app, token, { ...anonymous(request), ip: addressOf(request) })
      return setRefreshCookie(reply, cookieSettings, issued)
    },
  })

  app.post('/logout', {
    config: { access: 'public', credentials: ['refreshCookie', 'accessToken'], errors: [401, 403] },
    schema: {
      operationId: 'logout',
      tags: ['Sign-in'],
      summary:
        'End the session of the refresh cookie, of the refresh token in the body, or of the access token',
      description:
        'One of the three is enough. The cookie is always cleared; access tokens of the session are invalid immediately, on every instance.',
      body: RefreshBody,
      response: { 204: NoContent },
    },
    handler: async (request, reply) => {
      const token = refreshTokenOf(request, cookieSettings, request.body?.refreshToken)
      clearRefreshCookie(reply, cookieSettings)
      if (token !== undefined) await endSessionOfToken(app, token, anonymous(request))
      else {
        const { userId, sessionId } = app.tokens.verify(bearer(request), 'access')
        await endSessionOfUser(app, userId, sessionId, anonymous(request))
      }
    },
  })

  app.get('/me', {
    config: { access: 'user', enrolment: true },
    schema: {
      operationId: 'getCurrentUser',
      tags: ['Current user'],
      summary: 'The signed-in user',
      description: 'The owner of the access token, with account settings and active second factors.',
      response: { 200: CurrentUserAnswer },
    },
    handler: async (request) => ({ user: await accounts.read(request.principal.userId) }),
  })

  app.put('/me/profile', {
    config: { access: 'user', resource: CurrentUser },
    schema: {
      operationId: 'updateProfile',
      tags: ['Current user'],
      summary: 'Change names, avatar and notification settings',
      description:
        "Missing fields stay unchanged. Turning on email that can't be sent yet succeeds with a warning: emails start once the service has a mail server and the account a confirmed address.",
      body: ProfileBody,
      response: { 200: ProfileAnswer },
    },
    handler: (request) => updateProfile(app, callerOf(request), request.body),
  })

  app.put('/me/password', {
    config: { access: 'user', rateLimit: { ...SIGN_IN_LIMIT, groupId: 'password' }, errors: [503] },
    schema: {
      operationId: 'changePassword',
      tags: ['Current user'],
      summary: 'Change the password; ends all other sessions',
      description:
        'Requires the old password; the session of the request stays. The user is notified, also by email. Personal tokens stay unchanged.',
      body: PasswordBody,
      response: { 204: NoContent },
    },
    handler: (request) => changePassword(app, callerOf(request), request.body),
  })

  app.get('/me/sessions', {
    config: { untagged: true, access: 'user' },
    schema: {
      operationId: 'listSessions',
      tags: ['Current user'],
      summary: 'List sessions of this account',
      description:
        'One entry for each browser or program with a valid refresh token. `current` marks the session of the request.',
      response: { 200: SessionsAnswer },
    },
    handler: (request) => listSessions(app.db, callerOf(request)),
  })

  app.delete('/me/sessions', {
    config: { access: 'user' },
    schema: {
      operationId: 'endOtherSessions',
      tags: ['Current user'],
      summary: 'End all other sessions',
      description:
        'All sessions except that of the request end immediately, on every instance. Personal tokens stay valid.',
      response: { 204: NoContent },
    },
    handler: async (request) => {
      const caller = callerOf(request)
      await endSessions(app, caller, 'auth.sessions_ended', { except: caller.sessionId })
    },
  })

  app.delete('/me/sessions/:id', {
    config: { access: 'user' },
    schema: {
      operationId: 'endSession',
      tags: ['Current user'],
      summary: 'End one session',
      description:
        'Its tokens are invalid immediately, on every instance; the session of the request can be ended too. A session of another user is 404.',
      params: IdParams,
      response: { 204: NoContent },
    },
    handler: (request) => endOwnSession(app, callerOf(request), request.params.id),
  })
}

const tooManyTries = (seconds: number) =>
  new AppError(429, 'rate_limited', `Too many attempts for this account; retry in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  })
