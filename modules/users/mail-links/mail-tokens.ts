import { createHash, randomBytes } from 'node:crypto'
import type { Executor } from '../../../db/connection/connect.ts'
import { AppError } from '../../../plugins/http/errors.ts'
import { countRequest } from '../../../plugins/security/rate-limit/queries.ts'
import type { Secrets } from '../../../plugins/security/secrets.ts'
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

const HOUR_MS = 3_600_000

/** Emails of one kind to one address, regardless of who requests them. */
const TO_ADDRESS = 6
/** Unverified addresses one user can send email to. */
const BY_USER = 10

const keyOf = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest()

/** Counts an email to the address, over all instances; false if it had too many in this hour. */
export async function mayMail(trx: Executor, purpose: MailPurpose, address: string): Promise<boolean> {
  const { current } = await countRequest(trx, keyOf('mail to', purpose, address), HOUR_MS)
  return current <= TO_ADDRESS
}

/** Counts an email the user caused to an unverified address. Throws 429. */
export async function countMailBy(trx: Executor, userId: string): Promise<void> {
  const { current, ttl } = await countRequest(trx, keyOf('mail by', userId), HOUR_MS)
  if (current <= BY_USER) return
  const seconds = Math.ceil(ttl / 1000)
  throw new AppError(429, 'rate_limited', `Too many addresses; retry in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  })
}
