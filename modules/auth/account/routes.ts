import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { anonymous, callerOf } from '../../../plugins/security/access/index.ts'
import { SIGN_IN_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { changeEmail, confirmEmail, resetPassword, sendResetLink } from '../../users/service.ts'
import { setRefreshCookie, signInClientOf, type CookieSettings } from '../browser.ts'
import { NewSession } from '../../../schemas/people/sign-in.ts'
import {
  ConfirmEmailBody,
  EmailAnswer,
  EmailBody,
  ForgotAnswer,
  ForgotBody,
  RegisterBody,
  ResetBody,
} from './schemas.ts'
import { register } from '../service.ts'

const MAILED = 'If an account has this address, a link was sent to it'
const NO_MAIL = 'Email is not configured on this service; ask its administrator for a new password'

/** Registration and account recovery. */
export const accountRoutes: FastifyPluginAsyncTypebox<{ cookieSettings: CookieSettings }> = async (
  app,
  { cookieSettings },
) => {
  app.post('/register', {
    config: {
      access: 'public',
      rateLimit: { ...SIGN_IN_LIMIT, groupId: 'register' },
      errors: [403, 409, 503],
    },
    schema: {
      operationId: 'register',
      tags: ['Sign-in'],
      summary: 'Create an account with an invitation, and sign in',
      description:
        'An address the invitation did not verify must be confirmed by email before it is used; if email is not configured, it is stored as unverified.',
      body: RegisterBody,
      response: { 201: NewSession },
    },
    handler: async (request, reply) => {
      const { issued, user } = await register(app, signInClientOf(request), request.body)
      return { ...setRefreshCookie(reply, cookieSettings, issued), user }
    },
  })

  app.post('/password/forgot', {
    config: { access: 'public', rateLimit: { ...SIGN_IN_LIMIT, groupId: 'mail-link' } },
    schema: {
      operationId: 'forgotPassword',
      tags: ['Sign-in'],
      summary: 'Request an email with a link to choose a new password',
      description:
        'The answer and its timing are the same whether or not an account has the address. Only a confirmed address gets a link. It works once, for 30 minutes.',
      body: ForgotBody,
      response: { 202: ForgotAnswer },
    },
    handler: async (request) => {
      const [actor, { email }] = [anonymous(request), request.body]
      if (app.mail.configured)
        app.work.afterResponse('password reset', () => sendResetLink(app, actor, email))
      return { message: app.mail.configured ? MAILED : NO_MAIL }
    },
  })

  app.post('/password/reset', {
    config: { access: 'public', rateLimit: { ...SIGN_IN_LIMIT, groupId: 'mail-link' }, errors: [503] },
    schema: {
      operationId: 'resetPassword',
      tags: ['Sign-in'],
      summary: 'Choose a new password with a mailed token; ends all sessions',
      description: 'Does not sign in. Second factors stay.',
      body: ResetBody,
      response: { 204: Type.Null() },
    },
    handler: (request) => resetPassword(app, anonymous(request), request.body),
  })

  app.put('/me/email', {
    config: {
      access: 'user',
      rateLimit: { ...SIGN_IN_LIMIT, groupId: 'password' },
      resource: false,
      errors: [409, 503],
    },
    schema: {
      operationId: 'changeEmail',
      tags: ['Current user'],
      summary: 'Change your email address',
      description:
        'Takes effect when the link sent to the new address is opened; the answer is the same if another account has the address, whose owner is notified by email. If email is not configured, it takes effect immediately, unverified.',
      body: EmailBody,
      response: { 200: EmailAnswer },
    },
    handler: (request) => changeEmail(app, callerOf(request), request.body),
  })

  app.post('/me/email/confirm', {
    config: { access: 'public', rateLimit: { ...SIGN_IN_LIMIT, groupId: 'mail-link' }, errors: [409] },
    schema: {
      operationId: 'confirmEmail',
      tags: ['Current user'],
      summary: 'Confirm an email address with a mailed token; requires no sign-in',
      description:
        "The token from the mailed link works once. The address becomes the account's and is confirmed; the previous address is notified. 409 if another account uses the address by now.",
      body: ConfirmEmailBody,
      response: { 204: Type.Null() },
    },
    handler: (request) => confirmEmail(app, anonymous(request), request.body.token),
  })
}
