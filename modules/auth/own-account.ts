import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { CurrentUser } from '../../schemas/people/user.ts'
import { findUserById, toCurrentUser } from '../users/service.ts'
import { sessionOver } from './errors.ts'

/** Accounts as returned by `GET /api/auth/me`, cached because every page of a client asks for them. */
interface OwnAccounts {
  /** Throws 401 if the account no longer exists. */
  read(userId: string): Promise<CurrentUser>
}

const REMEMBERED = 10_000

/** Caches only while this process receives every account change, and invalidates with the change. */
export function createOwnAccounts({ db, events }: Pick<FastifyInstance, 'db' | 'events'>): OwnAccounts {
  const accounts = new LRUCache<string, CurrentUser>({ max: REMEMBERED })
  // Increases with each change, so that data read before a change is not cached after it.
  let changes = 0
  const forget = ({ userId }: { userId: string }) => {
    changes++
    accounts.delete(userId)
  }
  events.on('user.changed', forget)
  events.on('events.missed', () => {
    changes++
    accounts.clear()
  })

  return {
    async read(userId) {
      const known = events.connected ? accounts.get(userId) : undefined
      if (known) return known
      const readAt = changes
      const row = await findUserById(db, userId)
      if (!row) throw sessionOver()
      const account = toCurrentUser(row)
      if (readAt === changes && events.connected) accounts.set(userId, account)
      return account
    },
  }
}
