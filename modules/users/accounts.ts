import type { FastifyInstance } from 'fastify'
import type { Executor } from '../../db/connection/connect.ts'
import { violates } from '../../db/connection/errors.ts'
import type { Actor } from '../../plugins/security/access/index.ts'
import { AppError, conflict } from '../../plugins/http/errors.ts'
import type { AccountKind } from '../../schemas/people/user.ts'
import { recordAudit } from '../audit/service.ts'
import { deleteMailTokens } from './mail-links/mail-token-queries.ts'
import { CONFIRM_SECONDS, issueMailToken } from './mail-links/mail-tokens.ts'
import { confirmEmailMail } from './mail-links/messages.ts'
import { expectPassword } from './passwords.ts'
import {
  deleteChallengesOf,
  deleteSessions,
  insertUser,
  lockUser,
  sessionLives,
  type UserRow,
} from './queries.ts'

/** What creating and changing accounts needs from the app. */
export type AccountContext = Pick<
  FastifyInstance,
  'db' | 'events' | 'secrets' | 'mail' | 'installation' | 'passwordHashes'
>

interface NewAccount {
  id: string
  kind?: AccountKind
  username: string
  email: string | null
  emailVerified: boolean
  role: 'admin' | 'member'
  displayName: string | null
  /** Null for a new account. */
  passwordHash: string | null
}

/** Inserts the account in the caller's transaction; pass failures to `takenOr`. */
export async function addAccount(
  trx: Executor,
  actor: Actor,
  account: NewAccount,
  how: object = {},
): Promise<UserRow> {
  const { id, kind = 'person', username, email, emailVerified, role } = account
  const row = await insertUser(trx, {
    id,
    account_kind: kind,
    username,
    email,
    email_verified: emailVerified,
    role,
    display_name: account.displayName,
    password_hash: account.passwordHash,
    notifications_enabled: true,
    email_notifications_enabled: false,
  })
  await recordAudit(trx, actor, {
    action: 'user.created',
    target: { type: 'user', id, name: username },
    after: { ...(kind === 'machine' && { kind }), username, email, emailVerified, role, ...how },
  })
  return row
}

/** Returns the 409 for a user name or address in use; returns any other error unchanged. */
export function takenOr(error: unknown): unknown {
  if (violates(error, 'unique', 'users_username_key')) {
    return conflict('The user name is in use', { reason: 'user_name_taken', field: 'username' })
  }
  if (violates(error, 'unique', 'users_email_key')) {
    return conflict('Another account has this email address', { reason: 'email_taken', field: 'email' })
  }
  return error
}

/** Returns the hash of a valid password, or throws a 400 at `path`. */
export async function hashNewPassword(
  { installation, passwordHashes }: Pick<AccountContext, 'installation' | 'passwordHashes'>,
  password: string,
  username: string,
  path = '/password',
): Promise<string> {
  await expectPassword(password, { username, siteUrl: installation.url }, path)
  return passwordHashes.hash(password)
}

/** Ends pending ways into the account: second-factor steps, mailed links. */
export async function endPendingSignIns(trx: Executor, userId: string): Promise<void> {
  await deleteChallengesOf(trx, userId)
  await deleteMailTokens(trx, userId, ['password_reset', 'email_change'])
}

/** Ends those and all sessions. Returns the sessions, for `session.ended`. Personal tokens stay. */
export async function endSignIns(trx: Executor, userId: string): Promise<string[]> {
  await endPendingSignIns(trx, userId)
  return deleteSessions(trx, userId)
}

/** Asks the owner of an address to confirm it, if email is configured. */
export async function askToConfirm(
  { secrets, mail, installation }: AccountContext,
  trx: Executor,
  user: { id: string; username: string },
  email: string,
): Promise<void> {
  if (!mail.configured) return
  const purpose = 'email_change'
  const token = await issueMailToken(trx, secrets, {
    purpose,
    userId: user.id,
    email,
    seconds: CONFIRM_SECONDS,
  })
  if (token === null) return
  await mail.send(trx, email, confirmEmailMail(installation.url, user.username, token), CONFIRM_SECONDS)
}

const overtaken = () =>
  new AppError(
    401,
    'unauthenticated',
    'The session ended or the password changed in the meantime; sign in again',
  )

/**
 * Locks the account until the end of the transaction and checks again what the change relies on: the session,
 * and the password if it was asked for (its verified hash; null if not). Verifying and hashing take long
 * enough for an administrator's reset to happen in between. Throws 401.
 */
export async function holdAccount(
  trx: Executor,
  { userId, sessionId }: { userId: string; sessionId: string },
  passwordHash: string | null,
): Promise<UserRow> {
  const user = await lockUser(trx, userId)
  const stands =
    user?.disabled_at === null &&
    (passwordHash === null || user.password_hash === passwordHash) &&
    // A separate statement sees what was committed while it waited for the lock.
    (await sessionLives(trx, sessionId, userId))
  if (!stands) throw overtaken()
  return user
}
