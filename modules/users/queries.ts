import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import type { Executor } from '../../db/connect.ts'
import type { UsersTable } from '../../db/tables.ts'

export type UserRow = Selectable<UsersTable>

export const findUserById = (db: Executor, id: string) =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/** By user name, or by a verified e-mail address; `name` in lower case. */
export const findUserByLogin = (db: Executor, name: string) =>
  db
    .selectFrom('users')
    .selectAll()
    .where((eb) =>
      eb.or([eb('username', '=', name), eb.and([eb('email', '=', name), eb('email_verified', '=', true)])]),
    )
    // A user name that looks like somebody's address must not shadow that account.
    .orderBy(sql`username = ${name}`, 'desc')
    .executeTakeFirst()

export const insertUser = (db: Executor, user: Insertable<UsersTable>) =>
  db.insertInto('users').values(user).execute()

/** Held to the end of the transaction: of several instances that start at once one makes the first user. */
export const lockFirstUser = (db: Executor) => sql`select pg_advisory_xact_lock(7003514)`.execute(db)

export const anyUser = (db: Executor) => db.selectFrom('users').select('id').limit(1).executeTakeFirst()

export const updateUser = (db: Executor, id: string, set: Updateable<UsersTable>) =>
  db
    .updateTable('users')
    .set({ ...set, updated_at: sql`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
