import type { FastifyInstance } from 'fastify'
import type { CurrentUser } from '../../schemas/user.ts'
import { findUserById, toCurrentUser } from '../users/service.ts'
import { sessionOver } from './errors.ts'

/** Own accounts as they are answered, from memory where nothing has changed: every page of a client asks. */
export interface OwnAccounts {
  /** Rejects with 401 when the account is gone. */
  read(userId: string): Promise<CurrentUser>
}

const REMEMBERED = 10_000

/** Remembers only while every change of an account reaches this process, and forgets with the change. */
export function createOwnAccounts({
  db,
  events,
  mayRemember,
}: Pick<FastifyInstance, 'db' | 'events' | 'mayRemember'>): OwnAccounts {
  const accounts = new Map<string, CurrentUser>()
  // Rises with each change: what was read before one is not remembered after it.
  let changes = 0
  const forget = ({ userId }: { userId: string }) => {
    changes++
    accounts.delete(userId)
  }
  events.on('user.changed', forget)
  events.on('account.second_factor_changed', ({ userIds = [] }) => {
    for (const userId of userIds) forget({ userId })
  })
  events.on('events.missed', () => {
    changes++
    accounts.clear()
  })

  return {
    async read(userId) {
      const known = mayRemember() ? accounts.get(userId) : undefined
      if (known) return known
      const readAt = changes
      const row = await findUserById(db, userId)
      if (!row) throw sessionOver()
      const account = toCurrentUser(row)
      if (readAt === changes && mayRemember()) {
        if (accounts.size >= REMEMBERED) accounts.delete(accounts.keys().next().value as string)
        accounts.set(userId, account)
      }
      return account
    },
  }
}
