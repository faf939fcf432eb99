import { sql } from 'kysely'
import type { Executor } from '../../../db/connection/connect.ts'

/** How long changes of a connection are serialized after one was refused because of another. */
export const IN_TURN_MINUTES = 10

export const noteInTurn = (db: Executor, configId: string) =>
  db
    .updateTable('provider_configs')
    .set({ in_turn_until: sql<Date>`now() + make_interval(mins => ${IN_TURN_MINUTES})` })
    .where('id', '=', configId)
    .execute()
