import type { Actor, Caller } from '../../../plugins/security/access/index.ts'
import { AppError, invalid } from '../../../plugins/http/errors.ts'
import type { CurrentUser } from '../../../schemas/people/user.ts'
import { recordAudit } from '../../audit/service.ts'
import { askToConfirm, holdAccount, takenOr, type AccountContext } from '../accounts.ts'
import { deleteMailTokens, findMailToken, takeMailToken } from './mail-token-queries.ts'
import { countMailBy, mayMail } from './mail-tokens.ts'
import { toCurrentUser } from '../mapper.ts'
import { emailChangedMail, emailTakenMail } from './messages.ts'
import {
  findUserByEmail,
  findUserById,
  lockUser,
  updateUser,
  type AccountRow,
  type UserRow,
} from '../queries.ts'

const accountGone = () => new AppError(401, 'unauthenticated', 'This account no longer exists')

/**
 * Changes the user's address. With email configured, it takes effect when the mailed link is opened, and the
 * answer is the same whether or not another account has the address: the email goes to its owner, not to the
 * caller. Otherwise it takes effect immediately and is unverified.
 */
export async function changeEmail(
  context: AccountContext,
  caller: Caller,
  { email, password }: { email: string; password: string },
): Promise<{ user: CurrentUser; confirmationSent: boolean }> {
  const { db, mail, passwordHashes } = context
  const user = await findUserById(db, caller.userId)
  if (!(await passwordHashes.verify(user?.password_hash, password))) {
    throw invalid({ path: '/password', code: 'wrong_password', message: 'is not the current password' })
  }
  if (!user) throw accountGone()
  const address = email.toLowerCase()
  if (address === user.email && (user.email_verified || !mail.configured)) {
    return { user: toCurrentUser(user), confirmationSent: false }
  }
  if (!mail.configured)
    return { user: await setUnverified(context, caller, user, address), confirmationSent: false }
  await requestConfirmation(context, caller, user, address)
  return { user: toCurrentUser(user), confirmationSent: true }
}

async function setUnverified({ db, events }: AccountContext, caller: Caller, user: UserRow, address: string) {
  const after = await events
    .transaction(db, async (trx, tell) => {
      const before = await holdAccount(trx, caller, user.password_hash)
      tell('user.changed', { userId: before.id })
      await recordAudit(trx, caller, changed(before, address, false))
      return (await updateUser(trx, before.id, { email: address, email_verified: false })) as AccountRow
    })
    .catch((error: unknown) => {
      throw takenOr(error)
    })
  return toCurrentUser(after)
}

async function requestConfirmation(context: AccountContext, caller: Caller, user: UserRow, address: string) {
  const { db, mail, installation } = context
  const owner = await findUserByEmail(db, address)
  await db.transaction().execute(async (trx) => {
    await holdAccount(trx, caller, user.password_hash)
    await countMailBy(trx, user.id)
    await recordAudit(trx, caller, {
      action: 'user.email_change_requested',
      target: { type: 'user', id: user.id, name: user.username },
      after: { email: address },
    })
    if (owner && owner.id !== user.id) {
      if (await mayMail(trx, 'email_change', address))
        await mail.send(trx, address, emailTakenMail(installation.url, owner.username))
    } else await askToConfirm(context, trx, user, address)
  })
}

const linkOver = () =>
  invalid({
    path: '/token',
    code: 'link_over',
    message: 'is not valid: unknown, expired or used; enter the address again',
  })

/**
 * Confirms a mailed link: the address becomes the account's, verified. Requires no sign-in, because email is
 * often read on another device; the request required the password.
 */
export async function confirmEmail(context: AccountContext, actor: Actor, token: string): Promise<void> {
  const { db, events, secrets, mail, installation } = context
  await events
    .transaction(db, async (trx, tell) => {
      const hash = secrets.digest(token)
      const known = await findMailToken(trx, hash, 'email_change')
      // Locked before the token is taken, in the same order as an account reset.
      const user = known && (await lockUser(trx, known.user_id))
      const taken = user && (await takeMailToken(trx, hash, 'email_change'))
      if (!taken || user.disabled_at !== null) throw linkOver()
      await updateUser(trx, user.id, { email: taken.email, email_verified: true })
      tell('user.changed', { userId: user.id })
      // Invalidates password reset links sent to the old address.
      await deleteMailTokens(trx, user.id, ['password_reset', 'email_codes'])
      await recordAudit(
        trx,
        { ...actor, userId: user.id, username: user.username },
        changed(user, taken.email, true),
      )
      if (user.email !== null && user.email !== taken.email) {
        await mail.send(trx, user.email, emailChangedMail(installation.url, user.username))
      }
    })
    .catch((error: unknown) => {
      throw takenOr(error)
    })
}

const changed = (user: UserRow, email: string, emailVerified: boolean) => ({
  action: 'user.email_changed' as const,
  target: { type: 'user', id: user.id, name: user.username },
  before: { email: user.email, emailVerified: user.email_verified },
  after: { email, emailVerified },
})
