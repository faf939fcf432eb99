import type { Executor } from '../../../db/connection/connect.ts'
import type { Origin } from '../../../schemas/records/origin.ts'
import { forbidden } from '../../http/errors.ts'
import type { Installation } from '../../installation.ts'
import type { Caller } from './index.ts'
import { findEnabledUser, findLackingFactor, findTokenGrant } from './queries.ts'
import { secondFactorRequired } from './second-factor.ts'

/** Who asked for work that is done later. */
export interface AskedBy {
  /** Null if the account was deleted. */
  userId: string | null
  tokenId: string | null
  origin: Origin
  ip: string
  requestId: string
}

/**
 * Returns the user who asked for work, with the permissions they have by now. Rejects with 403 if the account was disabled
 * or deleted, lacks a second factor that it must have, or the token was revoked or has expired.
 */
export async function callerLater(
  db: Executor,
  { requireSecondFactor, maxTokenDays }: Pick<Installation, 'requireSecondFactor' | 'maxTokenDays'>,
  { userId, tokenId, ...request }: AskedBy,
): Promise<Caller> {
  const user = userId === null ? undefined : await findEnabledUser(db, userId)
  if (!user) throw forbidden('The account that asked for this was disabled or deleted')
  const lacking = await findLackingFactor(db, requireSecondFactor, [user.userId])
  if (lacking.has(user.userId)) throw secondFactorRequired()
  const token = tokenId === null ? null : await findTokenGrant(db, tokenId, maxTokenDays)
  if (token === undefined) throw forbidden('The token that asked for this was revoked or has expired')
  return { ...user, sessionId: '', token, ...request }
}
