import type { Executor } from '../../../db/connection/connect.ts'
import { newEvent, type NewEvent, type Payloads, type StoredName } from './event.ts'
import { insertEvents } from './queries.ts'

/**
 * Stores an event in the outbox, in the transaction of its change. After the commit it is distributed to people and
 * channels, at least once and in order for each domain.
 */
export async function announce<N extends StoredName>(
  trx: Executor,
  name: N,
  payload: Payloads[N],
): Promise<void> {
  await insertEvents(trx, [newEvent(name, payload)])
}

/** Stores many events with one statement. */
export async function announceAll(trx: Executor, events: readonly NewEvent[]): Promise<void> {
  if (events.length > 0) await insertEvents(trx, events)
}
