import { createHash } from 'node:crypto'
import type { Executor } from '../../../db/connection/connect.ts'
import { AppError } from '../../../plugins/http/errors.ts'
import { countRequest } from '../../../plugins/security/rate-limit/queries.ts'
import type { MailPurpose } from './mail-token-queries.ts'

const HOUR_MS = 3_600_000

/** Mails of a purpose to one address, whoever asks for them. */
const TO_ADDRESS = 6
/** Addresses of others that one user may have written to. */
const BY_USER = 10

const keyOf = (...parts: string[]) => createHash('sha256').update(parts.join('\0')).digest()

/** Counts a mail to the address for all instances; false when it had so many in this hour that it gets no more. */
export async function mayMail(trx: Executor, purpose: MailPurpose, address: string): Promise<boolean> {
  const { current } = await countRequest(trx, keyOf('mail to', purpose, address), HOUR_MS)
  return current <= TO_ADDRESS
}

/** Counts a mail that the user has sent to an address which nobody has proved to be theirs. Rejects with 429. */
export async function countMailBy(trx: Executor, userId: string): Promise<void> {
  const { current, ttl } = await countRequest(trx, keyOf('mail by', userId), HOUR_MS)
  if (current <= BY_USER) return
  const seconds = Math.ceil(ttl / 1000)
  throw new AppError(429, 'rate_limited', `Too many addresses; try again in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  })
}
