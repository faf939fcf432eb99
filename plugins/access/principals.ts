import type { Executor } from '../../db/connect.ts'
import type { Role } from '../../schemas/user.ts'

/** Who makes a request, as of now: not as of when the token was issued. */
export interface Principal {
  userId: string
  username: string
  role: Role
  sessionId: string
}

interface Entry extends Principal {
  /** Milliseconds since the epoch. */
  sessionExpiresAt: number
}

export interface Principals {
  /** The user of a living session, or null. */
  bySession(sessionId: string): Promise<Principal | null>
  /** The same from memory, without waiting; undefined when it must be looked up. */
  remembered(sessionId: string): Principal | undefined
  forgetSessions(sessionIds: string[]): void
  forgetUser(userId: string): void
}

const REMEMBERED = 50_000

/** `mayRemember`: whether every revocation reaches this process; without that each request asks the database. */
export function createPrincipals(db: Executor, mayRemember: () => boolean): Principals {
  const entries = new Map<string, Entry>()
  // Rises with each revocation: an answer that was read before one is not remembered after it.
  let revocations = 0

  return {
    remembered(sessionId) {
      const entry = mayRemember() ? entries.get(sessionId) : undefined
      return entry && entry.sessionExpiresAt > Date.now() ? entry : undefined
    },
    async bySession(sessionId) {
      const before = revocations
      const entry = await readPrincipal(db, sessionId)
      if (!entry) return null
      if (before === revocations && mayRemember()) {
        if (entries.size >= REMEMBERED) entries.delete(entries.keys().next().value as string)
        entries.set(sessionId, entry)
      }
      return entry
    },
    forgetSessions(sessionIds) {
      revocations++
      for (const id of sessionIds) entries.delete(id)
    },
    forgetUser(userId) {
      revocations++
      for (const [id, entry] of entries) if (entry.userId === userId) entries.delete(id)
    },
  }
}

async function readPrincipal(db: Executor, sessionId: string): Promise<Entry | null> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id as userId', 'users.username', 'users.role', 'sessions.expires_at'])
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', new Date())
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()
  if (!row) return null
  const { userId, username, role } = row
  return { userId, username, role, sessionId, sessionExpiresAt: row.expires_at.getTime() }
}
