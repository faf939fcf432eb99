import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import type { Executor } from '../../db/connection/connect.ts'
import type { Actor, Caller } from '../../plugins/security/access/index.ts'
import { notFound } from '../../plugins/http/errors.ts'
import { ACCESS_TOKEN_SECONDS } from '../../plugins/security/tokens.ts'
import { recordAudit, type AuditAction } from '../audit/service.ts'
import { deleteSessions, findUserById, type UserRow } from '../users/service.ts'
import { invalidCredentials, sessionOver } from './errors.ts'
import {
  findRefreshToken,
  insertSession,
  refreshTokenSeconds,
  rotateRefreshToken,
  sessionsOf,
  USER_AGENT_LENGTH,
  type SessionRow,
} from './queries.ts'

export { sessionLives } from '../users/service.ts'

/** What starting and ending sessions needs from the app. */
export type AuthContext = Pick<
  FastifyInstance,
  'db' | 'tokens' | 'passwordHashes' | 'secrets' | 'events' | 'relyingParty' | 'installation' | 'mail'
>

export interface IssuedTokens {
  accessToken: string
  refreshToken: string
  /** Lifetime of the access token in seconds. */
  expiresIn: number
  /** Lifetime of the refresh cookie in seconds; undefined: it ends with the browser. */
  cookieSeconds: number | undefined
}

/** The sign-in at an identity provider that started a session. */
export interface ExternalSignIn {
  providerId: string
  subject: string
  /** Id of the identity provider's session; null if it sent none. */
  session: string | null
}

/** As stored with sessions and pending second-factor sign-ins. */
export const externalColumns = (external: ExternalSignIn | undefined) => ({
  external_provider: external?.providerId ?? null,
  external_subject: external?.subject ?? null,
  external_session: external?.session ?? null,
})

/** Within this time a rotated token returns the same successor: two tabs, a lost answer. */
const GRACE_SECONDS = 10

/** Starts a session in the caller's transaction: always with a new id. Machine accounts can't have one. */
export async function beginSession(
  { tokens, secrets }: AuthContext,
  trx: Executor,
  user: Pick<UserRow, 'id' | 'account_kind'>,
  client: { ip: string; userAgent: string; remember: boolean; external?: ExternalSignIn | undefined },
): Promise<IssuedTokens> {
  if (user.account_kind === 'machine') throw invalidCredentials()
  const sessionId = uuidv7()
  const refreshToken = randomBytes(32).toString('base64url')
  await insertSession(
    trx,
    {
      id: sessionId,
      user_id: user.id,
      remember: client.remember,
      ip: client.ip,
      user_agent: client.userAgent.slice(0, USER_AGENT_LENGTH),
      ...externalColumns(client.external),
    },
    secrets.digest(refreshToken),
  )
  return issued(tokens.sign('access', user.id, sessionId), refreshToken, client.remember)
}

/**
 * Rotates a refresh token. Each works once; its successor can be computed from it only here, so a repeat
 * within the grace period gets the same answer without storing it. A later repeat means that two parties have
 * the token: the session ends.
 */
export async function refreshSession(
  context: AuthContext,
  refreshToken: string,
  actor: Actor & { ip: string },
): Promise<IssuedTokens> {
  const { db, tokens, secrets } = context
  const hash = secrets.digest(refreshToken)
  const successor = secrets.derive('refresh', refreshToken)
  const rotated = await rotateRefreshToken(db, hash, secrets.digest(successor), actor.ip)
  if (rotated) {
    return issued(tokens.sign('access', rotated.user_id, rotated.session_id), successor, rotated.remember)
  }
  const known = await findRefreshToken(db, hash, GRACE_SECONDS)
  if (!known?.alive) throw sessionOver()
  if (known.fresh)
    return issued(tokens.sign('access', known.user_id, known.session_id), successor, known.remember)
  await endSessions(
    context,
    { ...actor, userId: known.user_id, username: known.username },
    'auth.refresh_reused',
    {
      only: known.session_id,
    },
  )
  throw sessionOver()
}

/** Ends the session of a refresh token; succeeds if it already ended. */
export async function endSessionOfToken(
  context: AuthContext,
  refreshToken: string,
  actor: Actor,
): Promise<void> {
  const known = await findRefreshToken(context.db, context.secrets.digest(refreshToken), GRACE_SECONDS)
  if (!known) return
  const user = { ...actor, userId: known.user_id, username: known.username }
  await endSessions(context, user, 'auth.logout', { only: known.session_id })
}

/** Ends the session of an access token; succeeds if it already ended. */
export async function endSessionOfUser(
  context: AuthContext,
  userId: string,
  sessionId: string,
  actor: Actor,
) {
  const user = await findUserById(context.db, userId)
  if (!user) return
  await endSessions(context, { ...actor, userId, username: user.username }, 'auth.logout', {
    only: sessionId,
  })
}

/** Ends sessions of the acting user, with effect from the next request. */
export async function endSessions(
  { db, events }: AuthContext,
  actor: Actor,
  action: AuditAction,
  which: { only?: string; except?: string },
): Promise<string[]> {
  return events.transaction(db, async (trx, tell) => {
    const ids = await deleteSessions(trx, actor.userId as string, which)
    if (ids.length > 0) {
      tell('session.ended', { sessionIds: ids })
      await recordAudit(trx, actor, {
        action,
        target: { type: 'user', id: actor.userId, name: actor.username },
        before: { sessions: ids },
      })
    }
    return ids
  })
}

export async function endOwnSession(context: AuthContext, caller: Caller, sessionId: string): Promise<void> {
  const ended = await endSessions(context, caller, 'auth.session_ended', { only: sessionId })
  if (ended.length === 0) throw notFound('session', sessionId)
}

export async function listSessions(db: Executor, caller: Caller) {
  const rows = await sessionsOf(db, caller.userId)
  return { sessions: rows.map((row) => toSession(row, caller.sessionId)) }
}

const toSession = (row: SessionRow, currentId: string) => ({
  id: row.id,
  createdAt: row.created_at.toISOString(),
  lastUsedAt: row.last_used_at.toISOString(),
  ip: row.ip,
  userAgent: row.user_agent,
  current: row.id === currentId,
})

const issued = (accessToken: string, refreshToken: string, remember: boolean): IssuedTokens => ({
  accessToken,
  refreshToken,
  expiresIn: ACCESS_TOKEN_SECONDS,
  cookieSeconds: remember ? refreshTokenSeconds(true) : undefined,
})
