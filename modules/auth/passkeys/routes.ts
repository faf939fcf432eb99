import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf, originOf, type PendingSignIn } from '../../../plugins/security/access/index.ts'
import { SIGN_IN_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { NewSession, ReauthenticationBody } from '../../../schemas/people/sign-in.ts'
import { setRefreshCookie, type CookieSettings } from '../cookie.ts'
import { setKnownDevice } from '../known-device.ts'
import {
  addPasskey,
  listPasskeys,
  readPasskey,
  registrationOptions,
  removePasskey,
  renamePasskey,
} from './own-passkeys.ts'
import {
  AddBody,
  AddedPasskey,
  CreationOptions,
  Passkey,
  PasskeysAnswer,
  RenameBody,
  RequestOptions,
  SignInBody,
} from './schemas.ts'
import { passkeyRequestOptions, passkeySignInOptions, signInByPasskey } from './service.ts'
import { addressOf } from '../../../plugins/security/addresses.ts'

/** Pages ask for options as they load, to offer passkeys where the user name is typed. */
const OPTIONS_LIMIT = { max: 30, timeWindow: 60_000, groupId: 'passkey-options' }

/** Under /api/2fa: the own passkeys, and the second step by one. */
export const passkeyRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/passkeys/options',
    {
      config: { access: 'user', enrolment: true, rateLimit: OPTIONS_LIMIT, errors: [409] },
      schema: {
        operationId: 'getPasskeyCreationOptions',
        tags: ['Passkeys'],
        summary: 'Begin to register a passkey',
        description:
          'Browsers offer passkeys to pages on https (or localhost). They belong to the host of SITE_URL.',
        response: { 200: CreationOptions },
      },
    },
    (request) => registrationOptions(app, callerOf(request)),
  )

  app.post(
    '/passkeys',
    {
      config: {
        access: 'user',
        enrolment: true,
        rateLimit: { ...SIGN_IN_LIMIT, groupId: 'password' },
        errors: [409, 503],
        secretAnswer: true,
      },
      schema: {
        operationId: 'addPasskey',
        tags: ['Passkeys'],
        summary: 'Register the passkey that the authenticator made',
        description:
          'Needs the password, or a sign-in of the last 10 minutes (403 `reauthentication_required`; ' +
          'send the same credential again, with the password). An account has at most 20.',
        body: AddBody,
        response: { 201: AddedPasskey },
      },
    },
    async (request, reply) => {
      const passkey = await addPasskey(app, callerOf(request), request.body)
      return reply.code(201).header('location', `/api/2fa/passkeys/${passkey.id}`).send(passkey)
    },
  )

  app.get(
    '/passkeys',
    {
      config: { access: 'user', enrolment: true },
      schema: {
        operationId: 'listPasskeys',
        tags: ['Passkeys'],
        summary: 'The own passkeys, the oldest first',
        description:
          'With when each was made and last used, and whether its maker keeps a copy. At most 20 of an account, so there are no pages.',
        response: { 200: PasskeysAnswer },
      },
    },
    (request) => listPasskeys(app.db, callerOf(request)),
  )

  app.get(
    '/passkeys/:id',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'getPasskey',
        tags: ['Passkeys'],
        summary: 'One of the own passkeys',
        description: 'Of another user it is 404.',
        params: IdParams,
        response: { 200: Passkey },
      },
    },
    (request) => readPasskey(app.db, callerOf(request), request.params.id),
  )

  app.put(
    '/passkeys/:id',
    {
      config: { ifMatch: true, access: 'user' },
      schema: {
        operationId: 'renamePasskey',
        tags: ['Passkeys'],
        summary: 'Rename a passkey',
        description:
          'The name is for the user alone, to tell passkeys apart; the authenticator hears nothing of it. Of another user it is 404.',
        params: IdParams,
        body: RenameBody,
        response: { 200: Passkey },
      },
    },
    (request) => renamePasskey(app, callerOf(request), request.params.id, request.body.name),
  )

  app.delete(
    '/passkeys/:id',
    {
      config: {
        ifMatch: true,
        access: 'user',
        rateLimit: { ...SIGN_IN_LIMIT, groupId: 'password' },
        errors: [409, 503],
      },
      schema: {
        operationId: 'removePasskey',
        tags: ['Passkeys'],
        summary: 'Remove a passkey',
        description:
          'Needs the password, or a sign-in of the last 10 minutes (403 `reauthentication_required`). ' +
          'With the last second factor the recovery codes go too. The only way into the account stays (409 `last_sign_in_method`), and so does the last factor of an account that must have one (409, reason `second_factor_required`).',
        params: IdParams,
        body: ReauthenticationBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removePasskey(app, callerOf(request), request.params.id, request.body?.password)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/passkey/options',
    {
      config: { access: 'temp', rateLimit: OPTIONS_LIMIT, errors: [409] },
      schema: {
        operationId: 'getSecondStepPasskeyOptions',
        tags: ['Passkeys'],
        summary: 'Begin the second step of sign-in by a passkey',
        description: 'The answer of the authenticator goes to `POST /api/2fa/verify` with method `passkey`.',
        response: { 200: RequestOptions },
      },
    },
    (request) => passkeyRequestOptions(app, request.pendingSignIn as PendingSignIn),
  )
}

/** Under /api/auth: sign-in by a passkey alone. */
export const passkeySignInRoutes: FastifyPluginAsyncTypebox<{ cookieSettings: CookieSettings }> = async (
  app,
  { cookieSettings },
) => {
  app.post(
    '/passkey/options',
    {
      config: { access: 'public', rateLimit: OPTIONS_LIMIT },
      schema: {
        operationId: 'getPasskeySignInOptions',
        tags: ['Passkeys'],
        summary: 'Begin to sign in by a passkey alone',
        description:
          'Answers what `navigator.credentials.get()` takes. The challenge is good once, for 5 minutes; the answer of the authenticator goes to `POST /api/auth/passkey/login`.',
        response: { 200: RequestOptions },
      },
    },
    () => passkeySignInOptions(app),
  )

  app.post(
    '/passkey/login',
    {
      config: { access: 'public', rateLimit: { ...SIGN_IN_LIMIT, groupId: 'sign-in' }, errors: [401] },
      schema: {
        operationId: 'signInByPasskey',
        tags: ['Passkeys'],
        summary: 'Sign in by a passkey alone',
        description:
          'The authenticator must have verified its user by PIN or biometrics. Such a passkey is two ' +
          'factors in one: the session begins at once, whatever second factors the account has.',
        body: SignInBody,
        response: { 200: NewSession },
      },
    },
    async (request, reply) => {
      const { credential, rememberMe: remember } = request.body
      const userAgent = request.headers['user-agent'] ?? ''
      const origin = originOf(request, false)
      const client = { ip: addressOf(request), userAgent, origin, requestId: request.id, remember }
      const { issued, user } = await signInByPasskey(app, credential, client)
      setRefreshCookie(reply, cookieSettings, issued.refreshToken, issued.cookieSeconds)
      setKnownDevice(reply, app.secrets, cookieSettings, user.id)
      const { accessToken, refreshToken, expiresIn } = issued
      return { accessToken, refreshToken, expiresIn, user }
    },
  )
}
