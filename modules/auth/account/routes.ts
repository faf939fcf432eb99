import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { anonymous, callerOf } from '../../../plugins/security/access/index.ts'
import { SIGN_IN_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { changeEmail, confirmEmail, resetPassword, sendResetLink } from '../../users/service.ts'
import { setRefreshCookie, type CookieSettings } from '../cookie.ts'
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
import { register } from './service.ts'
import { addressOf } from '../../../plugins/security/addresses.ts'

const MAILED = 'If the address belongs to an account, a link is on its way'
const NO_MAIL = 'E-mail is not set up on this service: ask its administrator for a new password'

/** Making an account, and getting hold of one again. */
export const accountRoutes: FastifyPluginAsyncTypebox<{ cookieSettings: CookieSettings }> = async (
  app,
  { cookieSettings },
) => {
  app.post(
    '/register',
    {
      config: {
        access: 'public',
        rateLimit: { ...SIGN_IN_LIMIT, groupId: 'register' },
        errors: [403, 409, 503],
      },
      schema: {
        operationId: 'register',
        tags: ['Sign-in'],
        summary: 'Make an account with an invitation, and sign in',
        description:
          'An address that the invitation did not prove is asked to be confirmed by mail before it is the account’s; where e-mail is not set up it is stored as unverified.',
        body: RegisterBody,
        response: { 201: NewSession },
      },
    },
    async (request, reply) => {
      const userAgent = request.headers['user-agent'] ?? ''
      const actor = { ...anonymous(request), ip: addressOf(request) }
      const { issued, user } = await register(app, actor, { ...request.body, userAgent })
      setRefreshCookie(reply, cookieSettings, issued.refreshToken, issued.cookieSeconds)
      const { accessToken, refreshToken, expiresIn } = issued
      return reply.code(201).send({ accessToken, refreshToken, expiresIn, user })
    },
  )

  app.post(
    '/password/forgot',
    {
      config: { access: 'public', rateLimit: { ...SIGN_IN_LIMIT, groupId: 'mail-link' } },
      schema: {
        operationId: 'forgotPassword',
        tags: ['Sign-in'],
        summary: 'Ask for a link by mail to choose a new password',
        description:
          'The answer is the same, and takes the same time, whether or not the address belongs to an account. Only a confirmed address gets a link. It counts once, for 30 minutes.',
        body: ForgotBody,
        response: { 202: ForgotAnswer },
      },
    },
    async (request, reply) => {
      const [actor, { email }] = [anonymous(request), request.body]
      if (app.mail.configured)
        app.work.afterResponse('password reset', () => sendResetLink(app, actor, email))
      return reply.code(202).send({ message: app.mail.configured ? MAILED : NO_MAIL })
    },
  )

  app.post(
    '/password/reset',
    {
      config: { access: 'public', rateLimit: { ...SIGN_IN_LIMIT, groupId: 'mail-link' }, errors: [503] },
      schema: {
        operationId: 'resetPassword',
        tags: ['Sign-in'],
        summary: 'Choose a new password with the token of a mail; all sessions end',
        description: 'Signs nobody in, and leaves a second factor as it is.',
        body: ResetBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await resetPassword(app, anonymous(request), request.body)
      return reply.code(204).send(null)
    },
  )

  app.put(
    '/me/email',
    {
      config: {
        access: 'user',
        rateLimit: { ...SIGN_IN_LIMIT, groupId: 'password' },
        resource: false,
        errors: [409, 503],
      },
      schema: {
        operationId: 'changeEmail',
        tags: ['Current user'],
        summary: 'Change the own e-mail address',
        description:
          'Takes effect when the link that is sent to the new address is followed; the answer is the same when another account has the address, whose owner is told by mail. Where e-mail is not set up it takes effect at once, unverified.',
        body: EmailBody,
        response: { 200: EmailAnswer },
      },
    },
    (request) => changeEmail(app, callerOf(request), request.body),
  )

  app.post(
    '/me/email/confirm',
    {
      config: { access: 'public', rateLimit: { ...SIGN_IN_LIMIT, groupId: 'mail-link' }, errors: [409] },
      schema: {
        operationId: 'confirmEmail',
        tags: ['Current user'],
        summary: 'Confirm an e-mail address with the token of a mail; needs no sign-in',
        description:
          'The token is that of the link in the mail, and good once. The address becomes that of the account and counts as confirmed; the one before is told. 409 when another account has taken the address meanwhile.',
        body: ConfirmEmailBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await confirmEmail(app, anonymous(request), request.body.token)
      return reply.code(204).send(null)
    },
  )
}
