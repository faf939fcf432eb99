import { sql, type SelectQueryBuilder } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import { anyOf } from '../../db/expressions.ts'
import type { Database } from '../../db/tables/index.ts'
import { tokenLives } from '../../plugins/security/access/index.ts'
import { viewersOf } from '../domains/access/access.ts'

/** A user who can be reached in at least one way. */
export interface Recipient {
  id: string
  /** Whether notifications in the console are enabled. */
  inApp: boolean
  /** The verified address, if emails are enabled. */
  address: string | null
  /** Visible names of a domain; null: all. */
  patterns: string[] | null
}

type Users = SelectQueryBuilder<Database, 'users', object>

/** Active users who can be reached. */
const reachable = (db: Executor): Users =>
  db
    .selectFrom('users')
    .where('disabled_at', 'is', null)
    .where((eb) => eb.or([eb('notifications_enabled', '=', true), wantsMail]))

const wantsMail = sql<boolean>`(email_notifications_enabled and email_verified and email is not null)`

const chosen = [
  sql<string>`users.id`.as('id'),
  sql<boolean>`notifications_enabled`.as('inApp'),
  sql<string | null>`case when ${wantsMail} then email end`.as('address'),
] as const

const all = sql<null>`null`.as('patterns')

export const findUsers = (db: Executor, ids: readonly string[]): Promise<Recipient[]> =>
  reachable(db)
    .where('users.id', '=', anyOf(ids))
    .select([...chosen, all])
    .execute()

export const findAdministrators = (db: Executor): Promise<Recipient[]> =>
  reachable(db)
    .where('role', '=', 'admin')
    .select([...chosen, all])
    .execute()

export const findAllUsers = (db: Executor): Promise<Recipient[]> =>
  reachable(db)
    .select([...chosen, all])
    .execute()

export const findViewers = (db: Executor, domainId: string): Promise<Recipient[]> =>
  reachable(db)
    .innerJoin(viewersOf(domainId).as('viewers'), 'viewers.user_id', 'users.id')
    .select([...chosen, 'viewers.patterns'])
    .execute()

/** Those of these sessions that are active, and whether their users have notifications enabled. */
export const findSessions = (db: Executor, sessionIds: readonly string[]) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'notifications_enabled as inApp'])
    .where('sessions.id', '=', anyOf(sessionIds))
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .where('users.disabled_at', 'is', null)
    .execute()

/** Those of these personal tokens that are valid, and whether their users have notifications enabled. */
export const findTokens = (db: Executor, tokenIds: readonly string[], maxTokenDays: number | null) =>
  db
    .selectFrom('personal_tokens')
    .innerJoin('users', 'users.id', 'personal_tokens.user_id')
    .select(['personal_tokens.id', 'notifications_enabled as inApp'])
    .where('personal_tokens.id', '=', anyOf(tokenIds))
    .where(tokenLives(maxTokenDays))
    .where('users.disabled_at', 'is', null)
    .execute()
