import { sql } from 'kysely'
import { DELIVERIES } from '../../../db/tables/columns.ts'
import type { Executor } from '../../../db/connection/connect.ts'
import type { DeliveryRow } from './delivery-queries.ts'

export interface DeliveryFilter {
  status?: DeliveryRow['status']
}

const deliveriesOf = (db: Executor, channelId: string, { status }: DeliveryFilter) => {
  const all = db.selectFrom('deliveries').where('channel_id', '=', channelId)
  return status === undefined ? all : all.where('status', '=', status)
}

export const deliveryPage = (
  db: Executor,
  channelId: string,
  filter: DeliveryFilter,
  page: number,
  limit: number,
): Promise<DeliveryRow[]> =>
  deliveriesOf(db, channelId, filter)
    .select(DELIVERIES)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((page - 1) * limit)
    .execute()

export async function countDeliveries(
  db: Executor,
  channelId: string,
  filter: DeliveryFilter,
): Promise<number> {
  const { total } = await deliveriesOf(db, channelId, filter)
    .select(sql<number>`count(*)::int`.as('total'))
    .executeTakeFirstOrThrow()
  return total
}

export const findDelivery = (db: Executor, channelId: string, id: string): Promise<DeliveryRow | undefined> =>
  deliveriesOf(db, channelId, {}).select(DELIVERIES).where('id', '=', id).executeTakeFirst()

/** Makes a dead delivery pending again; undefined if not found. */
export const reviveDelivery = (
  db: Executor,
  channelId: string,
  id: string,
): Promise<DeliveryRow | undefined> =>
  db
    .updateTable('deliveries')
    .set({ status: 'pending', tries: 0, next_try_at: sql`now()` })
    .where('channel_id', '=', channelId)
    .where('id', '=', id)
    .where('status', '=', 'dead')
    .returning(DELIVERIES)
    .executeTakeFirst()
