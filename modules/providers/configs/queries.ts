import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import { PROVIDER_CONFIGS } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { ProviderConfigsTable } from '../../../db/tables/index.ts'
import type { Principal } from '../../../plugins/security/access/index.ts'

export type ProviderConfigRow = Selectable<ProviderConfigsTable>

/** Members see their own provider connections, administrators all. */
const visible = (db: Executor, { role, userId }: Principal) => {
  const query = db.selectFrom('provider_configs').select(PROVIDER_CONFIGS)
  return role === 'admin' ? query : query.where('owner_id', '=', userId)
}

export const listConfigs = (db: Executor, principal: Principal) =>
  visible(db, principal).orderBy('name').orderBy('id').execute()

export const findConfig = (db: Executor, principal: Principal, id: string) =>
  visible(db, principal).where('id', '=', id).executeTakeFirst()

/** For work that was authorized before: reconciliation, scheduled tasks. */
export const findConfigById = (db: Executor, id: string) =>
  db.selectFrom('provider_configs').select(PROVIDER_CONFIGS).where('id', '=', id).executeTakeFirst()

/** Locked until the end of the transaction, so that concurrent updates of credentials are not lost. */
export const findConfigForUpdate = (db: Executor, principal: Principal, id: string) =>
  visible(db, principal).where('id', '=', id).forUpdate().executeTakeFirst()

export async function isEnabledUser(db: Executor, id: string): Promise<boolean> {
  const query = db.selectFrom('users').select('id').where('id', '=', id).where('disabled_at', 'is', null)
  return (await query.executeTakeFirst()) !== undefined
}

export const insertConfig = (db: Executor, row: Insertable<ProviderConfigsTable>) =>
  db.insertInto('provider_configs').values(row).returning(PROVIDER_CONFIGS).executeTakeFirstOrThrow()

export const updateConfig = (db: Executor, id: string, set: Updateable<ProviderConfigsTable>) =>
  db
    .updateTable('provider_configs')
    .set({ ...set, updated_at: sql`now()` })
    .where('id', '=', id)
    .returning(PROVIDER_CONFIGS)
    .executeTakeFirstOrThrow()

export async function countConfigsOf(db: Executor, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('provider_configs')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('owner_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export async function giveConfigs(db: Executor, from: string, to: string): Promise<void> {
  await db.updateTable('provider_configs').set({ owner_id: to }).where('owner_id', '=', from).execute()
}

export const deleteConfig = (db: Executor, id: string) =>
  db.deleteFrom('provider_configs').where('id', '=', id).execute()
