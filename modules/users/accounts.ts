import type { FastifyInstance } from 'fastify'
import type { Executor } from '../../db/connection/connect.ts'
import { violates } from '../../db/connection/errors.ts'
import type { Actor } from '../../plugins/security/access/index.ts'
import { conflict } from '../../plugins/http/errors.ts'
import type { AccountKind } from '../../schemas/people/user.ts'
import { recordAudit } from '../audit/service.ts'
import { deleteMailTokens } from './mail-links/mail-token-queries.ts'
import { CONFIRM_SECONDS, issueMailToken } from './mail-links/mail-tokens.ts'
import { confirmEmailMail } from './mail-links/messages.ts'
import { expectPassword } from './passwords.ts'
import { deleteChallengesOf, deleteSessions, insertUser, type UserRow } from './queries.ts'

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
