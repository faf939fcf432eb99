import fp from 'fastify-plugin'
import { Type, type FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { confirmEmail, registerAccount, resetPassword } from '../../users/service.ts'
import { linkPage } from './link-page.ts'
import { RegisterBody, ResetBody } from './schemas.ts'

const NEW_PASSWORD = 'type="password" minlength="8" maxlength="256" required autocomplete="new-password"'

/** The pages mailed links lead to. */
const mailLinkPages: FastifyPluginAsyncTypebox = async (app) => {
  await app.register(
    linkPage({
      path: '/confirm-email',
      title: 'confirm an email address',
      secret: 'token',
      fields: Type.Object({}),
      form: `<p>Is this e-mail address yours? Then confirm it.</p>
<form method="post"><button>Confirm this address</button></form>`,
      done: '<p>The address is confirmed. You can close this page.</p>',
      submit: (actor, token) => confirmEmail(app, actor, token),
      limit: 'mail-link',
    }),
  )
  await app.register(
    linkPage({
      path: '/reset-password',
      title: 'choose a password',
      secret: 'token',
      fields: Type.Pick(ResetBody, ['newPassword']),
      form: `<form method="post">
<p><label>New password, of at least 8 characters<br><input name="newPassword" ${NEW_PASSWORD}></label></p>
<button>Set this password</button>
</form>`,
      done: '<p>The password is set, and all sessions of the account were ended. Sign in with the new password.</p>',
      submit: (actor, token, { newPassword }) => resetPassword(app, actor, { token, newPassword }),
      limit: 'mail-link',
    }),
  )
  await app.register(
    linkPage({
      path: '/register',
      title: 'create an account',
      secret: 'code',
      fields: Type.Pick(RegisterBody, ['username', 'password', 'email']),
      form: `<form method="post">
<p><label>User name<br><input name="username" minlength="2" maxlength="64" required autocomplete="username"></label></p>
<p><label>Password, of at least 8 characters<br><input name="password" ${NEW_PASSWORD}></label></p>
<p><label>E-mail address, if the invitation is for none<br><input name="email" type="email" autocomplete="email"></label></p>
<button>Make the account</button>
</form>`,
      done: '<p>The account was created. You can sign in now. If the invitation is not for this email address, a link was sent to it.</p>',
      submit: (actor, code, fields) =>
        registerAccount(app, actor, { ...fields, ...(code !== '' && { inviteCode: code }) }, async () => {}),
      limit: 'register',
    }),
  )
}

export default fp(mailLinkPages, {
  name: 'mail-link-pages',
  encapsulate: true,
  dependencies: ['auth', 'rate-limit', 'access'],
})
