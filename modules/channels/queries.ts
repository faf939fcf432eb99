import { sql, type Insertable, type Selectable, type Updateable } from 'kysely'
import { CHANNEL_CONFIGS } from '../../db/tables/columns.ts'
import type { Executor } from '../../db/connection/connect.ts'
import type { ChannelConfigsTable } from '../../db/tables/index.ts'

export type ChannelRow = Selectable<ChannelConfigsTable>

export const listChannels = (db: Executor): Promise<ChannelRow[]> =>
  db.selectFrom('channel_configs').select(CHANNEL_CONFIGS).orderBy('name').orderBy('id').execute()

export const findChannel = (db: Executor, id: string): Promise<ChannelRow | undefined> =>
  db.selectFrom('channel_configs').select(CHANNEL_CONFIGS).where('id', '=', id).executeTakeFirst()

/** Locks the channel until the transaction ends. */
export const lockChannel = (db: Executor, id: string): Promise<ChannelRow | undefined> =>
  db.selectFrom('channel_configs').select(CHANNEL_CONFIGS).where('id', '=', id).forUpdate().executeTakeFirst()

export const insertChannel = (db: Executor, row: Insertable<ChannelConfigsTable>): Promise<ChannelRow> =>
  db.insertInto('channel_configs').values(row).returning(CHANNEL_CONFIGS).executeTakeFirstOrThrow()

/** Pending deliveries are retried immediately. */
export const updateChannel = (
  db: Executor,
  id: string,
  set: Updateable<ChannelConfigsTable>,
): Promise<ChannelRow> =>
  db
    .updateTable('channel_configs')
    .set({ ...set, ...RETRY_NOW })
    .where('id', '=', id)
    .returning(CHANNEL_CONFIGS)
    .executeTakeFirstOrThrow()

export const deleteChannel = (db: Executor, id: string) =>
  db.deleteFrom('channel_configs').where('id', '=', id).execute()

/** Clears the failures, so that pending deliveries are retried immediately. */
export const resetChannel = (db: Executor, id: string) =>
  db.updateTable('channel_configs').set(RETRY_NOW).where('id', '=', id).execute()

/** `updated_at` changes too, so that an attempt in progress knows that its failure is outdated. */
const RETRY_NOW = { failures: 0, next_try_at: sql<Date>`now()`, updated_at: sql<Date>`clock_timestamp()` }
