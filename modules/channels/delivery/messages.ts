import type { Executor } from '../../../db/connection/connect.ts'
import { domainIdOf } from '../../../plugins/events/domain-links.ts'
import type { StoredEvent } from '../../../plugins/events/outbox/event.ts'
import {
  describeEvent,
  type AnnouncedName,
  type MetadataOf,
} from '../../../schemas/events/event-catalogue.ts'
import { patternsOf } from '../catalogue.ts'
import { deleteOldDeliveries, insertDeliveries } from './delivery-queries.ts'
import type { Message } from '../senders/contract.ts'

export function messageOf<N extends AnnouncedName>(
  event: N,
  metadata: MetadataOf<N>,
  { id, at }: { id: string; at: Date },
): Message {
  return { event, id, ...describeEvent(event, metadata), metadata, createdAt: at.toISOString() }
}

/** Queues an event for each channel that gets it, in the relay's transaction. */
export async function queueEvent(trx: Executor, event: StoredEvent): Promise<void> {
  if (event.name === 'notification.wanted') return
  const { metadata, belonged = null } = event.payload
  const message = messageOf(event.name, metadata, event)
  // A channel's failure is not sent to that channel.
  const about = 'channelId' in metadata ? metadata.channelId : null
  const domainId = domainIdOf(metadata)
  const patterns = patternsOf(event.name)
  await insertDeliveries(trx, message, { patterns, about, domainId, gone: belonged })
}

const KEPT = { deliveredDays: 7, deadDays: 30, limit: 1_000 }

export async function deleteOldLog(db: Executor): Promise<void> {
  while ((await deleteOldDeliveries(db, KEPT)) === KEPT.limit);
}
