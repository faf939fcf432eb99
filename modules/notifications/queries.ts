import { sql, type SelectQueryBuilder } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'
import type { Database } from '../../db/tables/index.ts'
import { viewersOf } from '../domains/access/access.ts'

/** Somebody whom an event reaches, in one way at least. */
export interface Receiver {
  id: string
  /** Whether messages inside the service are wanted. */
  inApp: boolean
  /** Where e-mail goes, when it is wanted and the address is verified. */
  address: string | null
  /** Of a domain's names those that are seen; null: all. */
  patterns: string[] | null
}

type Users = SelectQueryBuilder<Database, 'users', object>

/** Enabled users whom anything can reach. */
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

export const findUsers = (db: Executor, ids: readonly string[]): Promise<Receiver[]> =>
  reachable(db)
    .where(sql<boolean>`users.id = any(${[...ids]}::uuid[])`)
    .select([...chosen, all])
    .execute()

export const findAdministrators = (db: Executor): Promise<Receiver[]> =>
  reachable(db)
    .where('role', '=', 'admin')
    .select([...chosen, all])
    .execute()

export const findEverybody = (db: Executor): Promise<Receiver[]> =>
  reachable(db)
    .select([...chosen, all])
    .execute()

export const findViewers = (db: Executor, domainId: string): Promise<Receiver[]> =>
  reachable(db)
    .innerJoin(viewersOf(domainId).as('viewers'), 'viewers.user_id', 'users.id')
    .select([...chosen, 'viewers.patterns'])
    .execute()

/** Which of these sessions live, with whether their users want messages inside the service. */
export const findSessions = (db: Executor, sessionIds: readonly string[]) =>
  db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'notifications_enabled as inApp'])
    .where(sql<boolean>`sessions.id = any(${[...sessionIds]}::uuid[])`)
    .where('sessions.expires_at', '>', sql<Date>`now()`)
    .where('users.disabled_at', 'is', null)
    .execute()
