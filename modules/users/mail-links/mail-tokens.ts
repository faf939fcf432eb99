import { randomBytes } from 'node:crypto'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Secrets } from '../../../plugins/security/secrets.ts'
import { mayMail } from './mail-limits.ts'
import { hasRecentMailToken, replaceMailToken, type MailPurpose } from './mail-token-queries.ts'
import { lockUser } from '../queries.ts'

/** How long the links live, in seconds. */
export const RESET_SECONDS = 30 * 60
export const WELCOME_SECONDS = 3 * 24 * 3600
export const CONFIRM_SECONDS = 24 * 3600

/** Until then no second message of the same kind goes to an account: nobody can flood a mailbox. */
const PAUSE_SECONDS = 60

/**
 * A token for a link in a mail, which ends the one before it; only its hash is kept. Null when the one
 * before stays: it was made a moment ago, or the address had enough mails in this hour. In the caller's transaction.
 */
export async function issueMailToken(
  trx: Executor,
  secrets: Secrets,
  token: { purpose: MailPurpose; userId: string; email: string; seconds: number },
): Promise<string | null> {
  const text = randomBytes(32).toString('base64url')
  // One after another for each account, so that two requests at once send one message.
  await lockUser(trx, token.userId)
  if (await hasRecentMailToken(trx, token, PAUSE_SECONDS)) return null
  if (!(await mayMail(trx, token.purpose, token.email))) return null
  await replaceMailToken(trx, { ...token, hash: secrets.digest(text) })
  return text
}
