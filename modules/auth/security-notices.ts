import { composeMail } from '../../plugins/mail/templates.ts'
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
  const metadata = { username: user.username, ip }
  await announce(trx, 'account.password_changed', { metadata, actorId: null, userIds: [user.id] })
  await mailToHolder(context, trx, user, {
    subject: 'Your password has changed',
    text: `The password of the account ${user.username} was changed in its profile, from ${ip}. All its other sessions have ended.`,
    otherwise: 'request a new password on the sign-in page, and tell the administrator.',
  })
}

/** A sign-in from a place where the user has no session. */
export async function announceNewPlace(
  context: AuthContext,
  trx: Executor,
  { user, ip, userAgent }: { user: Holder; ip: string; userAgent: string },
): Promise<void> {
  const metadata = { username: user.username, ip, userAgent }
  await announce(trx, 'account.new_sign_in', { metadata, actorId: null, userIds: [user.id] })
  await mailToHolder(context, trx, user, {
    subject: 'New sign-in to your account',
    text: `Somebody signed in to the account ${user.username} from ${ip} with ${userAgent || 'an unknown program'}.`,
    otherwise: 'change your password and end all other sessions.',
  })
}

/** What a user should do about a change of the ways to sign in that someone else made. */
export const takenOver = (look: string) =>
  `someone else has access to your account: change your password, end all other sessions, and check your ${look}.`

/** Sends a notice to a confirmed address. `otherwise`: what to do if it wasn't the user. */
export async function mailToHolder(
  { mail, installation }: Pick<AuthContext, 'mail' | 'installation'>,
  trx: Executor,
  { email, email_verified }: Holder,
  { subject, text, otherwise }: { subject: string; text: string; otherwise: string },
): Promise<void> {
  if (!mail.configured || email === null || !email_verified) return
  const message = composeMail({
    siteUrl: installation.url,
    subject,
    paragraphs: [text, "If this was you, you don't need to do anything."],
    closing: [`If this wasn't you, ${otherwise}`],
  })
  await mail.send(trx, email, message)
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
