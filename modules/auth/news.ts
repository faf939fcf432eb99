import { composeMail } from '../../plugins/mail-templates.ts'
import type { MailMessage } from '../../plugins/mail.ts'
import { findUserByLogin, type UserRow } from '../users/service.ts'
import type { AuthContext } from './sessions.ts'

/* What concerns the safety of an account is told by notification and by e-mail, whatever its settings are. */

type Holder = Pick<UserRow, 'id' | 'username' | 'email' | 'email_verified'>

/** After the commit of a change by the user; `ip` is where it came from. */
export function tellPasswordChange(context: AuthContext, user: Holder, ip: string): void {
  const { events, site } = context
  const metadata = { username: user.username, ip }
  events.emit('account.password_changed', { metadata, actorId: null, userIds: [user.id] })
  mailToHolder(context, user, () =>
    composeMail({
      siteUrl: site.url,
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
export interface NewPlace {
  user: Holder
  ip: string
  userAgent: string
}

/** After the commit. */
export function tellNewPlace(context: AuthContext, { user, ip, userAgent }: NewPlace): void {
  const { events, site } = context
  const metadata = { username: user.username, ip, userAgent }
  events.emit('account.new_sign_in', { metadata, actorId: null, userIds: [user.id] })
  mailToHolder(context, user, () =>
    composeMail({
      siteUrl: site.url,
      subject: 'New sign-in to your account',
      paragraphs: [
        `Somebody signed in to the account ${user.username} from ${ip} with ${userAgent || 'an unknown program'}.`,
        'If that was you, there is nothing to do.',
      ],
      closing: ['If it was not you, change your password and end all other sessions.'],
    }),
  )
}

function mailToHolder({ mail }: AuthContext, { email, email_verified }: Holder, write: () => MailMessage) {
  if (mail.configured && email !== null && email_verified) mail.send(email, write())
}

/**
 * Tells the holder of an account, if there is one of that name, that further tries to sign in must wait. For
 * the background: the answer's time must not tell whether there is one.
 */
export async function tellSlowedDown(
  { db, events }: Pick<AuthContext, 'db' | 'events'>,
  name: string,
  ip: string,
): Promise<void> {
  const user = await findUserByLogin(db, name)
  if (!user) return
  const metadata = { username: user.username, ip }
  events.emit('account.locked', { metadata, actorId: null, userIds: [user.id] })
}
