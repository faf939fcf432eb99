import { createHash } from 'node:crypto'
import type { Executor } from '../../../db/connection/connect.ts'
import { AppError } from '../../../plugins/http/errors.ts'
import { countRequest } from '../../../plugins/security/rate-limit/queries.ts'
import type { MailPurpose } from './mail-token-queries.ts'

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
