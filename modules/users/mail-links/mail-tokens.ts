import { randomBytes } from 'node:crypto'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Secrets } from '../../../plugins/security/secrets.ts'
import { mayMail } from './mail-limits.ts'
import { hasRecentMailToken, replaceMailToken, type MailPurpose } from './mail-token-queries.ts'
import { lockUser } from '../queries.ts'

/** Lifetime of the links, in seconds. */
export const RESET_SECONDS = 30 * 60
export const WELCOME_SECONDS = 3 * 24 * 3600
export const CONFIRM_SECONDS = 24 * 3600

/** Minimum time between two emails of one kind to an account, so that no one can flood a mailbox. */
const PAUSE_SECONDS = 60

/**
 * Creates a token for a mailed link and invalidates the previous one; stores only its hash. Null if the
 * previous one stays: it is too recent, or the address had enough emails in this hour. Runs in the caller's
 * transaction.
 */
export async function issueMailToken(
  trx: Executor,
  secrets: Secrets,
  token: { purpose: MailPurpose; userId: string; email: string; seconds: number },
): Promise<string | null> {
  const text = randomBytes(32).toString('base64url')
  // Serialized per account, so that two concurrent requests send one email.
  await lockUser(trx, token.userId)
  if (await hasRecentMailToken(trx, token, PAUSE_SECONDS)) return null
  if (!(await mayMail(trx, token.purpose, token.email))) return null
  await replaceMailToken(trx, { ...token, hash: secrets.digest(text) })
  return text
}
