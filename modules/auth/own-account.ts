import type { FastifyInstance } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { CurrentUser } from '../../schemas/people/user.ts'
import { findUserById, toCurrentUser } from '../users/service.ts'
import { sessionOver } from './errors.ts'

/** Own accounts as they are answered, from memory where nothing has changed: every page of a client asks. */
interface OwnAccounts {
  /** Rejects with 401 when the account is gone. */
  read(userId: string): Promise<CurrentUser>
}

const REMEMBERED = 10_000

/** Remembers only while every change of an account reaches this process, and forgets with the change. */
export function createOwnAccounts({ db, events }: Pick<FastifyInstance, 'db' | 'events'>): OwnAccounts {
  const accounts = new LRUCache<string, CurrentUser>({ max: REMEMBERED })
  // Rises with each change: what was read before one is not remembered after it.
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
