import type { Actor } from '../../../plugins/security/access/index.ts'
import { invalid } from '../../../plugins/http/errors.ts'
import { announce } from '../../../plugins/events/outbox/announce.ts'
import { recordAudit } from '../../audit/service.ts'
import { endSignIns, hashNewPassword, type AccountContext } from '../accounts.ts'
import { findMailToken, takeMailToken } from './mail-token-queries.ts'
import { issueMailToken, RESET_SECONDS } from './mail-tokens.ts'
import { passwordChangedMail, passwordResetMail } from './messages.ts'
import { findUserByEmail, lockUser, updateUser, type UserRow } from '../queries.ts'

/**
 * Sends a link to choose a new password if there is an enabled account with that verified address; otherwise
 * does nothing. Runs in the background, so that the response time doesn't reveal which.
 */
export async function sendResetLink(
  { db, secrets, mail, installation }: AccountContext,
  actor: Actor,
  address: string,
): Promise<void> {
  const user = await findUserByEmail(db, address.toLowerCase())
  const reachable = user?.email_verified === true && user.disabled_at === null
  await db.transaction().execute(async (trx) => {
    await recordAudit(trx, actor, {
      action: 'auth.password_reset_requested',
      target: { type: 'user', id: user?.id ?? null, name: user?.username ?? null },
      after: { mailed: reachable },
    })
    if (!reachable) return
    const link = { purpose: 'password_reset', userId: user.id, email: user.email as string } as const
    const token = await issueMailToken(trx, secrets, { ...link, seconds: RESET_SECONDS })
    if (token === null) return
    await mail.send(trx, link.email, passwordResetMail(installation.url, user.username, token), RESET_SECONDS)
  })
}

const linkOver = () =>
  invalid({
    path: '/token',
    code: 'link_over',
    message: 'is not valid: unknown, expired or used; request a new link',
  })

/**
 * Sets a new password with a mailed token, which works once and verifies the address. Ends all sessions and
 * signs no one in; second factors stay.
 */
export async function resetPassword(
  context: AccountContext,
  actor: Actor,
  { token, newPassword }: { token: string; newPassword: string },
): Promise<void> {
  const { db, events, secrets, mail, installation } = context
  const hash = secrets.digest(token)
  // A refused password must not use up the link, and a stranger must not cause hashing; taking the token
  // decides.
  const known = await findMailToken(db, hash, 'password_reset')
  if (!known) throw linkOver()
  const passwordHash = await hashNewPassword(context, newPassword, known.username, '/newPassword')
  await events.transaction(db, async (trx, tell) => {
    const user = await lockUser(trx, known.user_id)
    const taken = await takeMailToken(trx, hash, 'password_reset')
    if (!user || !taken || user.email !== taken.email || user.disabled_at !== null) throw linkOver()
    const after = (await updateUser(trx, user.id, {
      password_hash: passwordHash,
      email_verified: true,
    })) as UserRow
    const sessionIds = await endSignIns(trx, user.id)
    tell('user.changed', { userId: user.id })
    if (sessionIds.length > 0) tell('session.ended', { sessionIds })
    await recordAudit(
      trx,
      { ...actor, userId: user.id, username: user.username },
      { action: 'user.password_reset', target: { type: 'user', id: user.id, name: user.username } },
    )
    const metadata = { username: after.username, ip: actor.ip }
    await announce(trx, 'account.password_changed', { metadata, actorId: null, userIds: [after.id] })
    await mail.send(trx, taken.email, passwordChangedMail(installation.url, after.username))
  })
}
