import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf, type PendingSignIn } from '../../../plugins/security/access/index.ts'
import { SIGN_IN_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { NewSession, ReauthenticationBody } from '../../../schemas/people/sign-in.ts'
import { signInClientOf, startSessionIn, type CookieSettings } from '../browser.ts'
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

/** Pages request options when they load, to offer passkeys in the user name field. */
const OPTIONS_LIMIT = { max: 30, timeWindow: 60_000, groupId: 'passkey-options' }

/** Under /api/2fa: passkeys of the account, and the second step with one. */
export const passkeyRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.post('/passkeys/options', {
    config: { access: 'user', enrolment: true, rateLimit: OPTIONS_LIMIT, errors: [409] },
    schema: {
      operationId: 'getPasskeyCreationOptions',
      tags: ['Passkeys'],
      summary: 'Start registering a passkey',
      description:
        'Browsers offer passkeys to pages on https (or localhost). They belong to the host of SITE_URL.',
      response: { 200: CreationOptions },
    },
    handler: (request) => registrationOptions(app, callerOf(request)),
  })

  app.post('/passkeys', {
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
      summary: 'Register the passkey the authenticator created',
      description:
        'Requires the password, or a sign-in in the last 10 minutes (403 `reauthentication_required`; ' +
        'then send the same credential again, with the password). An account can have 20.',
      body: AddBody,
      response: { 201: AddedPasskey },
    },
    handler: async (request, reply) => {
      const passkey = await addPasskey(app, callerOf(request), request.body)
      return reply.header('location', `/api/2fa/passkeys/${passkey.id}`).send(passkey)
    },
  })

  app.get('/passkeys', {
    config: { access: 'user', enrolment: true },
    schema: {
      operationId: 'listPasskeys',
      tags: ['Passkeys'],
      summary: 'List your passkeys, oldest first',
      description:
        'With the times of creation and last use, and whether the passkey is synced. At most 20, without pages.',
      response: { 200: PasskeysAnswer },
    },
    handler: (request) => listPasskeys(app.db, callerOf(request)),
  })

  app.get('/passkeys/:id', {
    config: { access: 'user' },
    schema: {
      operationId: 'getPasskey',
      tags: ['Passkeys'],
      summary: 'Get one of your passkeys',
      description: 'A passkey of another user is 404.',
      params: IdParams,
      response: { 200: Passkey },
    },
    handler: (request) => readPasskey(app.db, callerOf(request), request.params.id),
  })

  app.put('/passkeys/:id', {
    config: { ifMatch: true, access: 'user' },
    schema: {
      operationId: 'renamePasskey',
      tags: ['Passkeys'],
      summary: 'Rename a passkey',
      description:
        "The name is only a label; the authenticator doesn't see it. A passkey of another user is 404.",
      params: IdParams,
      body: RenameBody,
      response: { 200: Passkey },
    },
    handler: (request) => renamePasskey(app, callerOf(request), request.params.id, request.body.name),
  })

  app.delete('/passkeys/:id', {
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
        'Requires the password, or a sign-in in the last 10 minutes (403 `reauthentication_required`). ' +
        "Recovery codes are removed with the last second factor. The only way to sign in can't be removed (409 `last_sign_in_method`), nor the last factor of an account that must have one (409, reason `second_factor_required`).",
      params: IdParams,
      body: ReauthenticationBody,
      response: { 204: Type.Null() },
    },
    handler: (request) => removePasskey(app, callerOf(request), request.params.id, request.body?.password),
  })

  app.post('/passkey/options', {
    config: { access: 'temp', rateLimit: OPTIONS_LIMIT, errors: [409] },
    schema: {
      operationId: 'getSecondStepPasskeyOptions',
      tags: ['Passkeys'],
      summary: 'Start the second step of a sign-in with a passkey',
      description: "Send the authenticator's answer to `POST /api/2fa/verify` with the method `passkey`.",
      response: { 200: RequestOptions },
    },
    handler: (request) => passkeyRequestOptions(app, request.pendingSignIn as PendingSignIn),
  })
}

/** Under /api/auth: sign-in with a passkey alone. */
export const passkeySignInRoutes: FastifyPluginAsyncTypebox<{ cookieSettings: CookieSettings }> = async (
  app,
  { cookieSettings },
) => {
  app.post('/passkey/options', {
    config: { access: 'public', rateLimit: OPTIONS_LIMIT },
    schema: {
      operationId: 'getPasskeySignInOptions',
      tags: ['Passkeys'],
      summary: 'Start a sign-in with a passkey alone',
      description:
        "Returns the argument of `navigator.credentials.get()`. The challenge works once, for 5 minutes; send the authenticator's answer to `POST /api/auth/passkey/login`.",
      response: { 200: RequestOptions },
    },
    handler: () => passkeySignInOptions(app),
  })

  app.post('/passkey/login', {
    config: { access: 'public', rateLimit: { ...SIGN_IN_LIMIT, groupId: 'sign-in' }, errors: [401] },
    schema: {
      operationId: 'signInByPasskey',
      tags: ['Passkeys'],
      summary: 'Sign in with a passkey alone',
      description:
        'The authenticator must have verified its user by PIN or biometrics. Such a passkey counts as two ' +
        'factors: the session starts immediately, regardless of other second factors of the account.',
      body: SignInBody,
      response: { 200: NewSession },
    },
    handler: async (request, reply) => {
      const { credential, rememberMe } = request.body
      const signedIn = await signInByPasskey(app, credential, signInClientOf(request, rememberMe))
      return startSessionIn(reply, app.secrets, cookieSettings, signedIn)
    },
  })
}
