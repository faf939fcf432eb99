import type { Executor } from '../../../db/connection/connect.ts'
import { newEvent, type NewEvent, type Payloads, type StoredName } from './event.ts'
import { insertEvents } from './queries.ts'

/**
 * Stores an event in the transaction of the change that it tells of. After the commit it is told: to people
 * and channels, in order for each domain, and at least once, whatever ends in between.
 */
export async function announce<N extends StoredName>(
  trx: Executor,
  name: N,
  payload: Payloads[N],
): Promise<void> {
  await insertEvents(trx, [newEvent(name, payload)])
}

/** The same for many at once. */
export async function announceAll(trx: Executor, events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0) await insertEvents(trx, events)
}
