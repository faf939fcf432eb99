import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../db/connection/connect.ts'
import { TEMP_TOKEN_SECONDS } from '../../plugins/security/tokens.ts'
import type { Origin } from '../../schemas/records/origin.ts'
import type { UserSummary, FactorMethod } from '../../schemas/people/user.ts'
import { recordAudit, type AuditAction } from '../audit/service.ts'
import { toUserSummary, type UserRow } from '../users/service.ts'
import { sessionOver } from './errors.ts'
import { announceNewPlace } from './security-notices.ts'
import { isSignedInFrom, USER_AGENT_LENGTH } from './queries.ts'
import {
  beginSession,
  externalColumns,
  type AuthContext,
  type ExternalSignIn,
  type IssuedTokens,
} from './sessions.ts'
import { insertSignInChallenge } from './two-factor/challenge-queries.ts'
import { methodsOf, readFactors } from './two-factor/queries.ts'

/** Client and duration of a sign-in. */
export interface SignInClient {
  ip: string
  userAgent: string
  origin: Origin
  requestId: string | null
  /** Keep the session for 30 days. */
  remember: boolean
  /** Undefined: without an identity provider. */
  external?: ExternalSignIn | undefined
}

export interface SignedIn {
  outcome: 'signed_in'
  issued: IssuedTokens
  user: UserSummary
}

/** Also the answer to the client. */
export interface SecondFactorNeeded {
  outcome: 'second_factor'
  requires2FA: true
  tempToken: string
  methods: FactorMethod[]
}

/** Who acts in a sign-in; without a user while it is not known who signs in. */
export const actorOf = (
  { origin, ip, requestId }: Pick<SignInClient, 'origin' | 'ip' | 'requestId'>,
  { id = null, username }: { id?: string | null; username: string } = { username: '' },
) => ({ userId: id, username, origin, token: null, ip, requestId })

/**
 * Completes every sign-in with one factor: password or identity provider. Starts a session, or the second
 * step if the account has a second factor. The caller checks that the user can sign in. `by` is the method,
 * for the audit trail.
 */
export async function finishSignIn(
  context: AuthContext,
  db: Executor,
  user: UserRow,
  client: SignInClient,
  by = 'password',
): Promise<SignedIn | SecondFactorNeeded> {
  const factors = await readFactors(db, user.id)
  if (!factors) throw sessionOver()
  const methods = methodsOf(factors)
  if (methods.length === 0) return completeSignIn(context, db, user, client, [by])
  const challengeId = uuidv7()
  const challenge = {
    id: challengeId,
    user_id: user.id,
    remember: client.remember,
    ...externalColumns(client.external),
  }
  await insertSignInChallenge(db, challenge, TEMP_TOKEN_SECONDS)
  await recordSignIn(db, user, client, 'auth.second_factor_required', [by])
  const tempToken = context.tokens.sign('temp', user.id, challengeId)
  return { outcome: 'second_factor', requires2FA: true, tempToken, methods }
}

/**
 * Starts a session for a fully authenticated user, in the caller's transaction; notifies the user if it comes
 * from a new place.
 */
export async function completeSignIn(
  context: AuthContext,
  db: Executor,
  user: UserRow,
  client: SignInClient,
  by: readonly string[],
): Promise<SignedIn> {
  const userAgent = client.userAgent.slice(0, USER_AGENT_LENGTH)
  // Null: no other session, so no one to notify.
  const known = await isSignedInFrom(db, user.id, { ip: client.ip, userAgent })
  const issued = await beginSession(context, db, user, { ...client, userAgent })
  await recordSignIn(db, user, client, 'auth.login', by)
  if (known === false) await announceNewPlace(context, db, { user, ip: client.ip, userAgent })
  return { outcome: 'signed_in', issued, user: toUserSummary(user) }
}

/** Writes a sign-in step to the audit trail. */
export const recordSignIn = (
  db: Executor,
  user: Pick<UserRow, 'id' | 'username'>,
  client: Pick<SignInClient, 'origin' | 'ip' | 'requestId'>,
  action: AuditAction,
  by: readonly string[],
): Promise<void> =>
  recordAudit(db, actorOf(client, user), {
    action,
    target: { type: 'user', id: user.id, name: user.username },
    after: { by },
  })
