import type { FastifyInstance } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import {
  newEvent,
  type Payloads,
  type StoredEvent,
  type StoredName,
} from '../../plugins/events/outbox/event.ts'
import { insertEvents } from '../../plugins/events/outbox/queries.ts'

/**
 * Listens to events of these names that happen from now on; each call waits until all is told, and answers what was told
 * since the one before.
 */
export function hear<N extends StoredName>(app: FastifyInstance, ...names: N[]) {
  const heard: Pick<StoredEvent<N>, 'name' | 'id' | 'payload'>[] = []
  // What happened before may be told only now; ids rise with time.
  const begin = uuidv7()
  app.outbox.consume(async (_trx, { name, id, payload }) => {
    if (id > begin && (names as StoredName[]).includes(name))
      heard.push({ name, id, payload } as StoredEvent<N>)
  })
  return async () => {
    await app.outbox.drain()
    return heard.splice(0)
  }
}

/** Stores an event as the service does, and resolves when it was told. Answers its id. */
export async function tell<N extends StoredName>(
  app: FastifyInstance,
  name: N,
  payload: Payloads[N],
  id: string = uuidv7(),
): Promise<string> {
  await insertEvents(app.db, [{ ...newEvent(name, payload), id }])
  await app.outbox.drain()
  return id
}
