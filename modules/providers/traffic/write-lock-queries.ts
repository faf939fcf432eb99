import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'

/** How long changes of a connection are serialized after one was refused because of another. */
export const SERIALIZED_MINUTES = 10

export const noteSerialized = (db: Executor, configId: string) =>
  db
    .updateTable('provider_configs')
    .set({ in_turn_until: sql<Date>`now() + make_interval(mins => ${SERIALIZED_MINUTES})` })
    .where('id', '=', configId)
    .execute()
