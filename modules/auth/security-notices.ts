import { composeMail } from '../../plugins/mail/templates.ts'
import type { MailMessage } from '../../plugins/mail/message.ts'
import { announce } from '../../plugins/events/outbox/announce.ts'
import type { Executor } from '../../db/connection/connect.ts'
import { findUserByLogin, type UserRow } from '../users/service.ts'
import type { AuthContext } from './sessions.ts'

/* Account security notices are sent as notification and email, regardless of the account's settings. */

type Holder = Pick<UserRow, 'id' | 'username' | 'email' | 'email_verified'>

/** A change by the user; `ip` is the client address. */
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
        "If this was you, you don't need to do anything.",
      ],
      closing: [
        "If this wasn't you, request a new password on the sign-in page, and tell the administrator.",
      ],
    }),
  )
}

/** A sign-in from a place where the user has no session. */
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
        "If this was you, you don't need to do anything.",
      ],
      closing: ["If this wasn't you, change your password and end all other sessions."],
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
 * Notifies the owner of an account, if one has that name, that further sign-in attempts must wait. Runs in
 * the background, so that the response time doesn't reveal whether there is one.
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
