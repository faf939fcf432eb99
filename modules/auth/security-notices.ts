import { composeMail } from '../../plugins/mail/templates.ts'
import type { MailMessage } from '../../plugins/mail/message.ts'
import { announce } from '../../plugins/events/outbox/announce.ts'
import type { Executor } from '../../db/connection/connect.ts'
import { findUserByLogin, type UserRow } from '../users/service.ts'
import type { AuthContext } from './sessions.ts'

/* What concerns the safety of an account is told by notification and by e-mail, whatever its settings are. */

type Holder = Pick<UserRow, 'id' | 'username' | 'email' | 'email_verified'>

/** A change by the user; `ip` is where it came from. */
export async function announcePasswordChange(
  context: AuthContext,
  trx: Executor,
  user: Holder,
  ip: string,
): Promise<void> {
  const { installation } = context
  const metadata = { username: user.username, ip }
  await announce(trx, 'account.password_changed', { metadata, actorId: null, userIds: [user.id] })
  await mailToHolder(context, trx, user, () =>
    composeMail({
      siteUrl: installation.url,
      subject: 'Your password has changed',
      paragraphs: [
        `The password of the account ${user.username} was changed in its profile, from ${ip}. All its other sessions have ended.`,
        'If that was you, there is nothing to do.',
      ],
      closing: ['If it was not you, ask for a new password at the sign-in page, and tell the administrator.'],
    }),
  )
}

/** A sign-in from where the user is not signed in so far. */
interface NewPlace {
  user: Holder
  ip: string
  userAgent: string
}

export async function announceNewPlace(
  context: AuthContext,
  trx: Executor,
  { user, ip, userAgent }: NewPlace,
): Promise<void> {
  const { installation } = context
  const metadata = { username: user.username, ip, userAgent }
  await announce(trx, 'account.new_sign_in', { metadata, actorId: null, userIds: [user.id] })
  await mailToHolder(context, trx, user, () =>
    composeMail({
      siteUrl: installation.url,
      subject: 'New sign-in to your account',
      paragraphs: [
        `Somebody signed in to the account ${user.username} from ${ip} with ${userAgent || 'an unknown program'}.`,
        'If that was you, there is nothing to do.',
      ],
      closing: ['If it was not you, change your password and end all other sessions.'],
    }),
  )
}

async function mailToHolder(
  { mail }: AuthContext,
  trx: Executor,
  { email, email_verified }: Holder,
  write: () => MailMessage,
) {
  if (mail.configured && email !== null && email_verified) await mail.send(trx, email, write())
}

/**
 * Tells the holder of an account, if there is one of that name, that further tries to sign in must wait. For
 * the background: the answer's time must not tell whether there is one.
 */
export async function announceSlowedDown(
  { db }: Pick<AuthContext, 'db'>,
  name: string,
  ip: string,
): Promise<void> {
  const user = await findUserByLogin(db, name)
  if (!user) return
  const metadata = { username: user.username, ip }
  await announce(db, 'account.locked', { metadata, actorId: null, userIds: [user.id] })
}
