import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf, type PendingSignIn } from '../../../plugins/security/access/index.ts'
import { SIGN_IN_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { signInClientOf, startSessionIn, type CookieSettings } from '../browser.ts'
import { tooManyCodes } from './errors.ts'
import {
  EnableBody,
  EnabledAnswer,
  RecoveryCodesAnswer,
  SentAnswer,
  TotpSetupAnswer,
  TwoFactorAnswer,
  VerifyBody,
} from './schemas.ts'
import {
  confirmEmail,
  confirmTotp,
  readTwoFactor,
  removeEmail,
  removeTotp,
  replaceCodes,
  sendEnrolmentCode,
  setupTotp,
} from './service.ts'
import { sendSignInCode, verifySecondFactor } from './verify.ts'
import { NewSession, ReauthenticationBody } from '../../../schemas/people/sign-in.ts'

const TAGS = ['Second factor']
const NoContent = Type.Null()

/** Anyone with the password can start sign-ins repeatedly; the mailbox must not be flooded. */
const MAIL_LIMIT = { max: 10, timeWindow: 10 * 60_000 }

/** Changes to the factors take a password, with the same rate limit as a sign-in. */
const changing = { access: 'user', rateLimit: { ...SIGN_IN_LIMIT, groupId: 'password' } } as const

/** Under /api/2fa, except passkeys. */
export const twoFactorRoutes: FastifyPluginAsyncTypebox<{ cookieSettings: CookieSettings }> = async (
  app,
  { cookieSettings },
) => {
  const mailLimit = app.createRateLimit({
    ...MAIL_LIMIT,
    keyGenerator: (request) => `codes:${request.pendingSignIn?.userId ?? request.principal.userId}`,
  })

  app.get('/', {
    config: { access: 'user', enrolment: true },
    schema: {
      operationId: 'getTwoFactor',
      tags: TAGS,
      summary: 'Get the second factors that are on',
      description:
        'Includes the number of passkeys and unused recovery codes. While `required` is true and `enabled` is false, all routes except those to set up a factor return 403 `second_factor_required`.',
      response: { 200: TwoFactorAnswer },
    },
    handler: (request) => readTwoFactor(app, callerOf(request)),
  })

  app.post('/totp/setup', {
    config: { access: 'user', enrolment: true, errors: [409], secretAnswer: true },
    schema: {
      operationId: 'setUpTotp',
      tags: TAGS,
      summary: 'Create a secret for an authenticator app; it takes effect once a code proves it',
      description:
        'Returns the secret and its QR code, once. Nothing changes before `POST /api/2fa/totp/enable`; another call creates another secret. 409 while an app is on.',
      response: { 200: TotpSetupAnswer },
    },
    handler: (request) => setupTotp(app, callerOf(request)),
  })

  app.post('/totp/enable', {
    config: { ...changing, enrolment: true, errors: [409, 503], secretAnswer: true },
    schema: {
      operationId: 'enableTotp',
      tags: TAGS,
      summary: 'Turn on the authenticator app with one of its codes',
      description:
        'Requires the password, or a sign-in in the last 10 minutes (403 `reauthentication_required`). With the first second factor, recovery codes are returned, once. The user is notified.',
      body: EnableBody,
      response: { 200: EnabledAnswer },
    },
    handler: (request) => confirmTotp(app, callerOf(request), request.body),
  })

  app.delete('/totp', {
    config: { ...changing, errors: [409, 503] },
    schema: {
      operationId: 'disableTotp',
      tags: TAGS,
      summary: 'Turn off the authenticator app; with the last factor, recovery codes are removed too',
      description:
        'Requires the password, or a sign-in in the last 10 minutes (403 `reauthentication_required`). 409 if no app is on. The last factor of an account that must have one stays (409, reason `second_factor_required`). The user is notified, also by email.',
      body: ReauthenticationBody,
      response: { 204: NoContent },
    },
    handler: (request) => removeTotp(app, callerOf(request), request.body?.password),
  })

  app.post('/email/send', {
    config: {
      access: 'temp-or-user',
      enrolment: true,
      rateLimit: { ...SIGN_IN_LIMIT, groupId: 'mail-codes' },
      errors: [409, 503],
    },
    schema: {
      operationId: 'sendEmailCode',
      tags: TAGS,
      summary: 'Send a code by email: to complete a sign-in, or to turn on codes by email',
      description: 'At most one per minute; a code is valid for 10 minutes, and only the latest one works.',
      response: { 202: SentAnswer },
    },
    handler: async (request) => {
      const limit = await mailLimit(request)
      if (!limit.isAllowed && limit.isExceeded) throw tooManyCodes(limit.ttlInSeconds)
      const { pendingSignIn: pending } = request
      return pending ? sendSignInCode(app, pending) : sendEnrolmentCode(app, callerOf(request))
    },
  })

  app.post('/email/enable', {
    config: { ...changing, enrolment: true, errors: [409, 503], secretAnswer: true },
    schema: {
      operationId: 'enableEmailCodes',
      tags: TAGS,
      summary: 'Turn on codes by email with a code that was sent',
      description:
        'The code is that of `POST /api/2fa/email/send`. Requires the password, or a sign-in in the last 10 minutes (403 `reauthentication_required`), and a confirmed address (409). With the first second factor, recovery codes are returned, once.',
      body: EnableBody,
      response: { 200: EnabledAnswer },
    },
    handler: (request) => confirmEmail(app, callerOf(request), request.body),
  })

  app.delete('/email', {
    config: { ...changing, errors: [409, 503] },
    schema: {
      operationId: 'disableEmailCodes',
      tags: TAGS,
      summary: 'Turn off codes by email; with the last factor, recovery codes are removed too',
      description:
        'Requires the password, or a sign-in in the last 10 minutes (403 `reauthentication_required`). 409 if they are not on. The last factor of an account that must have one stays (409, reason `second_factor_required`). The user is notified.',
      body: ReauthenticationBody,
      response: { 204: NoContent },
    },
    handler: (request) => removeEmail(app, callerOf(request), request.body?.password),
  })

  app.post('/recovery-codes', {
    config: { ...changing, errors: [409, 503], secretAnswer: true },
    schema: {
      operationId: 'renewRecoveryCodes',
      tags: TAGS,
      summary: 'Replace the recovery codes',
      description:
        'Requires the password, or a sign-in in the last 10 minutes (403 `reauthentication_required`). The codes are returned once; each works for one sign-in. 409 for an account without a second factor.',
      body: ReauthenticationBody,
      response: { 200: RecoveryCodesAnswer },
    },
    handler: (request) => replaceCodes(app, callerOf(request), request.body?.password),
  })

  app.post('/verify', {
    config: {
      access: 'temp',
      rateLimit: { ...SIGN_IN_LIMIT, groupId: 'second-factor' },
      errors: [503],
      secretAnswer: true,
    },
    schema: {
      operationId: 'verifySecondFactor',
      tags: TAGS,
      summary: 'Complete a sign-in with a second factor or a recovery code',
      description:
        'A sign-in allows 5 attempts, within 5 minutes. After 20 wrong codes of one account in 15 minutes, of ' +
        'any kind, codes are 429 for the rest of that time; passkeys still work.',
      body: VerifyBody,
      response: { 200: NewSession },
    },
    handler: async (request, reply) => {
      const pending = request.pendingSignIn as PendingSignIn
      const signedIn = await verifySecondFactor(app, pending, request.body, signInClientOf(request))
      return startSessionIn(reply, app.secrets, cookieSettings, signedIn)
    },
  })
}
