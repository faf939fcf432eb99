import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { LRUCache } from 'lru-cache'
import type { Executor } from '../../../db/connection/connect.ts'
import type { Role } from '../../../schemas/people/user.ts'
import type { Installation } from '../../installation.ts'
import type { Secrets } from '../secrets.ts'
import { findTokenOwner } from './personal-tokens.ts'
import type { TokenGrant, TokenOwner } from './token-grant.ts'
import { findSessionUser } from './queries.ts'
import { lacksFactor } from './second-factor.ts'

/** The current user of a request, not as of when the token was issued. */
export interface Principal {
  userId: string
  username: string
  role: Role
  /** Empty for a personal token, which belongs to no session. */
  sessionId: string
  /** Set if the request has a personal token, which may be able to do less than its user. */
  token: TokenGrant | null
}

interface SessionEntry extends Principal {
  /** Milliseconds since the epoch. */
  expiresAt: number
  /** Whether the user must have a second factor and has none. */
  lacksFactor: boolean
}

declare module 'fastify' {
  interface FastifyInstance {
    principals: Principals
  }
  interface FastifyRequest {
    /** The look-up of its personal token, once started. */
    tokenLookUp: Promise<TokenOwner | null> | null
  }
}

interface Principals {
  /** Returns the cached user of a valid session, synchronously; undefined if it must be looked up. */
  remembered(sessionId: string): SessionEntry | undefined
  /** Returns the user of a valid session, or null. */
  bySession(sessionId: string): Promise<SessionEntry | null>
  /** Returns the cached owner of a valid personal token, synchronously. */
  rememberedToken(token: string): TokenOwner | undefined
  /** Returns the owner of a valid personal token, or null. One query per request. */
  byToken(token: string, request: FastifyRequest): Promise<TokenOwner | null>
  forgetSessions(sessionIds: string[]): void
  forgetToken(tokenId: string): void
  forgetUser(userId: string): void
  forgetAll(): void
}

/**
 * Returns the caller from the cache while revocations are received: before the rate limit, which counts by
 * it.
 */
export default fp(
  async (app) => {
    // Without revocations from other instances, nothing is cached.
    const principals = createPrincipals(app, () => app.events.connected)
    app.events.on('session.ended', ({ sessionIds }) => principals.forgetSessions(sessionIds))
    app.events.on('token.revoked', ({ tokenId }) => principals.forgetToken(tokenId))
    app.events.on('events.missed', () => principals.forgetAll())
    app.events.on('user.changed', ({ userId }) => principals.forgetUser(userId))
    app.decorate('principals', principals)
    app.decorateRequest('tokenLookUp', null)
  },
  { name: 'principals', dependencies: ['db', 'events', 'secrets', 'installation'] },
)

const REMEMBERED = 50_000

/** `isTold`: whether every revocation reaches this process; otherwise each request queries the database. */
function createPrincipals(
  { db, secrets, installation }: { db: Executor; secrets: Secrets; installation: Installation },
  isTold: () => boolean,
): Principals {
  const sessions = new LRUCache<string, SessionEntry>({ max: REMEMBERED })
  const tokens = new LRUCache<string, TokenOwner>({ max: REMEMBERED })
  // Increases with each revocation, so that data read before one is not cached after it.
  let revocations = 0

  const isCurrent = (readAt: number) => readAt === revocations && isTold()

  function rememberedToken(token: string): TokenOwner | undefined {
    const owner = isTold() ? tokens.get(token) : undefined
    return owner && (owner.expiresAt ?? Infinity) > Date.now() ? owner : undefined
  }

  async function lookUp(token: string): Promise<TokenOwner | null> {
    const readAt = revocations
    const owner = await findTokenOwner(db, secrets, installation, token)
    if (owner && isCurrent(readAt)) tokens.set(token, owner)
    return owner
  }

  return {
    rememberedToken,
    remembered(sessionId) {
      const entry = isTold() ? sessions.get(sessionId) : undefined
      return entry && entry.expiresAt > Date.now() ? entry : undefined
    },
    async bySession(sessionId) {
      const readAt = revocations
      const entry = await readSession(db, installation, sessionId)
      if (entry && isCurrent(readAt)) sessions.set(sessionId, entry)
      return entry
    },
    async byToken(token, request) {
      const known = rememberedToken(token)
      if (known) return known
      request.tokenLookUp ??= lookUp(token)
      return request.tokenLookUp
    },
    forgetSessions(sessionIds) {
      revocations++
      for (const id of sessionIds) sessions.delete(id)
    },
    forgetToken(tokenId) {
      revocations++
      for (const [token, owner] of tokens) if (owner.id === tokenId) tokens.delete(token)
    },
    forgetAll() {
      revocations++
      sessions.clear()
      tokens.clear()
    },
    forgetUser(userId) {
      revocations++
      for (const [id, entry] of sessions) if (entry.userId === userId) sessions.delete(id)
      for (const [token, owner] of tokens) if (owner.userId === userId) tokens.delete(token)
    },
  }
}

async function readSession(
  db: Executor,
  { requireSecondFactor }: Installation,
  sessionId: string,
): Promise<SessionEntry | null> {
  const row = await findSessionUser(db, sessionId)
  if (!row) return null
  const { userId, username, role } = row
  return {
    userId,
    username,
    role,
    sessionId,
    token: null,
    expiresAt: row.expires_at.getTime(),
    lacksFactor: lacksFactor(requireSecondFactor, row),
  }
}
