import type { Updateable } from 'kysely'
import type { UsersTable } from '../../db/tables/index.ts'
import type { Caller } from '../../plugins/security/access/index.ts'
import { invalid } from '../../plugins/http/errors.ts'
import type { CurrentUser } from '../../schemas/people/user.ts'
import type { Warning } from '../../schemas/problem.ts'
import { differences, recordAudit } from '../audit/service.ts'
import { expectPassword } from '../users/passwords.ts'
import {
  endPendingSignIns,
  findUserById,
  findUserByLogin,
  holdAccount,
  holdPassword,
  registerAccount,
  toCurrentUser,
  toUserSummary,
  updateUser,
  deleteSessions,
  type AccountRow,
  type Registration,
} from '../users/service.ts'
import { invalidCredentials, sessionOver } from './errors.ts'
import { announcePasswordChange } from './security-notices.ts'
import { beginSession, type AuthContext } from './sessions.ts'
import {
  actorOf,
  finishSignIn,
  type SecondFactorNeeded,
  type SignedIn,
  type SignInClient,
} from './sign-in.ts'

/**
 * Signs in with name and password, or continues with the second factor. Timing and answer are the same for an
 * unknown name and a wrong password.
 */
export async function login(
  context: AuthContext,
  client: SignInClient,
  credentials: { username: string; password: string },
): Promise<SignedIn | SecondFactorNeeded> {
  const name = credentials.username.trim().toLowerCase()
  const user = await findUserByLogin(context.db, name)
  const { passwordHashes } = context
  const fits = await passwordHashes.verify(user?.password_hash, credentials.password)
  if (!user || !fits || user.disabled_at !== null) {
    await recordAudit(context.db, actorOf(client, { username: name }), {
      action: 'auth.login_failed',
      target: { type: 'user', id: user?.id ?? null, name },
    })
    throw invalidCredentials()
  }
  const isOutdated = passwordHashes.isOutdated(user.password_hash as string)
  const rehashed = isOutdated ? await passwordHashes.hash(credentials.password) : null
  return context.db.transaction().execute(async (trx) => {
    if (!(await holdPassword(trx, user.id, user.password_hash as string))) throw invalidCredentials()
    if (rehashed !== null) await updateUser(trx, user.id, { password_hash: rehashed })
    return finishSignIn(context, trx, user, client)
  })
}

/**
 * Creates an account and signs it in, in one transaction, so that an invitation is not used up by a failure.
 */
export const register = (context: AuthContext, client: SignInClient, registration: Registration) =>
  registerAccount(context, actorOf(client), registration, async (trx, user, self): Promise<SignedIn> => {
    const issued = await beginSession(context, trx, user, client)
    await recordAudit(trx, self, {
      action: 'auth.login',
      target: { type: 'user', id: user.id, name: user.username },
      after: { method: 'registration' },
    })
    return { outcome: 'signed_in', issued, user: toUserSummary(user) }
  })

interface ProfileChanges {
  displayName?: string | null
  nickname?: string | null
  avatarUrl?: string | null
  notificationsEnabled?: boolean
  emailNotificationsEnabled?: boolean
}

/** Changes the user's profile; warns if requested email can't be sent. */
export async function updateProfile(context: AuthContext, caller: Caller, changes: ProfileChanges) {
  const { db, events, mail } = context
  const set: Updateable<UsersTable> = {
    ...(changes.displayName !== undefined && { display_name: changes.displayName }),
    ...(changes.nickname !== undefined && { nickname: changes.nickname }),
    ...(changes.avatarUrl !== undefined && { avatar_url: changes.avatarUrl }),
    ...(changes.notificationsEnabled !== undefined && {
      notifications_enabled: changes.notificationsEnabled,
    }),
    ...(changes.emailNotificationsEnabled !== undefined && {
      email_notifications_enabled: changes.emailNotificationsEnabled,
    }),
  }
  const user = await events.transaction(db, async (trx, tell) => {
    const before = toCurrentUser(ownAccount(await findUserById(trx, caller.userId)))
    const after = toCurrentUser(ownAccount(await updateUser(trx, caller.userId, set)))
    await recordAudit(trx, caller, {
      action: 'user.profile_changed',
      target: { type: 'user', id: caller.userId, name: caller.username },
      ...differences(before, after),
    })
    tell('user.changed', { userId: caller.userId })
    return after
  })
  return { user, warnings: mailWarnings(user, mail.configured) }
}

function mailWarnings(user: CurrentUser, configured: boolean): Warning[] {
  if (!user.emailNotificationsEnabled) return []
  if (!configured) {
    return [
      {
        code: 'email_not_configured',
        message: 'No email can be sent, because this service has no mail server',
      },
    ]
  }
  if (user.email === null) {
    return [{ code: 'email_missing', message: 'No email can be sent, because the account has no address' }]
  }
  if (user.emailVerified) return []
  return [{ code: 'email_unverified', message: 'No email can be sent until the address is confirmed' }]
}

/** Requires the old password; ends all other sessions. */
export async function changePassword(
  context: AuthContext,
  caller: Caller,
  { oldPassword, newPassword }: { oldPassword: string; newPassword: string },
): Promise<void> {
  const { db, events, installation, passwordHashes } = context
  const user = ownAccount(await findUserById(db, caller.userId))
  if (!(await passwordHashes.verify(user.password_hash, oldPassword))) {
    throw invalid({ path: '/oldPassword', code: 'wrong_password', message: 'is not the current password' })
  }
  await expectPassword(newPassword, { username: user.username, siteUrl: installation.url }, '/newPassword')
  const passwordHash = await passwordHashes.hash(newPassword)
  await events.transaction(db, async (trx, tell) => {
    await holdAccount(trx, caller, user.password_hash)
    await updateUser(trx, user.id, { password_hash: passwordHash })
    await endPendingSignIns(trx, user.id)
    const sessionIds = await deleteSessions(trx, user.id, { except: caller.sessionId })
    tell('session.ended', { sessionIds })
    await recordAudit(trx, caller, {
      action: 'user.password_changed',
      target: { type: 'user', id: user.id, name: user.username },
    })
    await announcePasswordChange(context, trx, user, caller.ip)
  })
}

/** The account may be deleted between the access check and here. */
function ownAccount(row: AccountRow | undefined): AccountRow {
  if (!row) throw sessionOver()
  return row
}
