import { randomBytes } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { SYSTEM } from '../../plugins/security/access/index.ts'
import { recordAudit } from '../audit/service.ts'
import type { AccountContext } from './accounts.ts'
import { anyUser, insertUser, lockFirstUser } from './queries.ts'
import { checkPassword } from './passwords.ts'

// What sign-in needs from a user's row; permission rules are the caller's.
export { endPendingSignIns, holdAccount } from './accounts.ts'
export { changeEmail, confirmEmail } from './mail-links/email-change.ts'
export { resetPassword, sendResetLink } from './mail-links/password-reset.ts'
export { rescueAdministrator, type Rescue } from './rescue.ts'
export { registerAccount, type Registration } from './registration.ts'
export { toCurrentUser, toUserSummary } from './mapper.ts'
export {
  deleteSessions,
  findUserByEmail,
  findUserById,
  findUserByLogin,
  findUserByName,
  holdPassword,
  lockUser,
  sessionLives,
  takenUsernames,
  updateUser,
  type AccountRow,
  type UserRow,
} from './queries.ts'

/** The first administrator's password is invalid. */
export class PasswordRefused extends Error {}

/**
 * Creates the first administrator if no user exists. Returns the generated password, to be shown once;
 * null if there was nothing to do or the password was given. Throws PasswordRefused.
 */
export async function ensureFirstAdministrator(
  { db, passwordHashes }: Pick<AccountContext, 'db' | 'passwordHashes'>,
  { username, password, siteUrl }: { username: string; password: string | null; siteUrl: string },
): Promise<string | null> {
  if (await anyUser(db)) return null
  const fault = password === null ? null : await checkPassword(password, { username, siteUrl })
  if (fault !== null) throw new PasswordRefused(fault.message)
  const generated = password === null ? randomBytes(15).toString('base64url') : null
  const passwordHash = await passwordHashes.hash(password ?? (generated as string))
  return db.transaction().execute(async (trx) => {
    await lockFirstUser(trx)
    if (await anyUser(trx)) return null
    const id = uuidv7()
    await insertUser(trx, {
      id,
      username,
      password_hash: passwordHash,
      role: 'admin',
      email_verified: false,
      notifications_enabled: true,
      email_notifications_enabled: false,
    })
    await recordAudit(trx, SYSTEM, {
      action: 'user.created',
      target: { type: 'user', id, name: username },
      after: { username, role: 'admin' },
    })
    return generated
  })
}
