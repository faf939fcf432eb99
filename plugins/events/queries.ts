import { sql, type RawBuilder } from 'kysely'
import type { Executor } from '../../db/connection/connect.ts'

/** The channel of LISTEN and NOTIFY that all instances share. */
export const CHANNEL = 'zonekeeper'

/** NOTIFY takes less than 8,000 bytes. */
export const MAX_MESSAGE_BYTES = 7_900

/** Part of a statement: sends the message to all instances when, and only if, its transaction commits. */
export const notify = (message: string): RawBuilder<unknown> => sql`pg_notify(${CHANNEL}, ${message})`

/** Sends the messages; in a transaction, with its commit. */
export const publish = (db: Executor, ...messages: string[]) =>
  sql`select pg_notify(${CHANNEL}, message) from unnest(${messages}::text[]) message`.execute(db)
