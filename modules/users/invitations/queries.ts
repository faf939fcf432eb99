import { sql, type Insertable, type Selectable } from 'kysely'
import { INVITATIONS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { InvitationsTable } from '../../../db/tables/index.ts'
import type { Page } from '../queries.ts'

export type InvitationRow = Selectable<InvitationsTable> & { creator: string | null }

const views = (db: Executor) =>
  db
    .selectFrom('invitations')
    .leftJoin('users', 'users.id', 'invitations.created_by')
    .select(INVITATIONS)
    .select('users.username as creator')

export const listInvitations = (db: Executor, { page, limit }: Page) =>
  views(db)
    .orderBy('invitations.created_at', 'desc')
    .orderBy('invitations.id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()

export async function countInvitations(db: Executor): Promise<number> {
  const { count } = await db
    .selectFrom('invitations')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export const findInvitation = (db: Executor, id: string) =>
  views(db).where('invitations.id', '=', id).executeTakeFirst()

export const insertInvitation = (db: Executor, row: Insertable<InvitationsTable>) =>
  db.insertInto('invitations').values(row).execute()

export const lockInvitation = (trx: Executor, id: string) =>
  trx.selectFrom('invitations').select('id').where('id', '=', id).forUpdate().executeTakeFirst()

/** Returns undefined if it doesn't exist; revoking twice keeps the first time. */
export const revokeInvitation = (db: Executor, id: string) =>
  db
    .updateTable('invitations')
    .set({ revoked_at: sql`coalesce(revoked_at, now())` })
    .where('id', '=', id)
    .returning('code_prefix')
    .executeTakeFirst()

const COUNTS = sql<boolean>`uses < max_uses and revoked_at is null and (expires_at is null or expires_at > now())`

/** Returns whether the code is currently valid; only `takeInvitation` decides. */
export const invitationCounts = (db: Executor, codeHash: Buffer) =>
  db.selectFrom('invitations').select('id').where('code_hash', '=', codeHash).where(COUNTS).executeTakeFirst()

/** Takes one use; concurrent requests never exceed the limit. */
export const takeInvitation = (db: Executor, codeHash: Buffer) =>
  db
    .updateTable('invitations')
    .set({ uses: sql`uses + 1` })
    .where('code_hash', '=', codeHash)
    .where(COUNTS)
    .returning(['id', 'role', 'email', 'mailed'])
    .executeTakeFirst()
