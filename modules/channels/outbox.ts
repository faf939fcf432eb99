import { v7 as uuidv7 } from 'uuid'
import {
  describeEvent,
  type AnnouncedName,
  type Announcement,
  type MetadataOf,
} from '../../schemas/event-catalogue.ts'
import type { EventMeta } from '../../schemas/events.ts'
import type { ChannelContext } from './context.ts'
import { deleteOldDeliveries, insertDeliveries, listDueChannels } from './outbox-queries.ts'
import type { Message } from './senders/contract.ts'
import type { Subscriptions } from './subscriptions.ts'

/** Works on what waits in one channel: `{channelId}`. */
export const DELIVER = 'channels.deliver'

export function messageOf<N extends AnnouncedName>(
  event: N,
  metadata: MetadataOf<N>,
  { id, at }: Pick<EventMeta, 'id' | 'at'>,
): Message {
  return { event, id, ...describeEvent(event, metadata), metadata, createdAt: at }
}

/**
 * Puts an event into the outbox of each channel that is to be told, once, however often it is called for
 * the same event, and has the channels worked on.
 */
export async function putIntoOutbox<N extends AnnouncedName>(
  context: ChannelContext,
  subscriptions: Subscriptions,
  event: N,
  { metadata }: Announcement<MetadataOf<N>>,
  meta: EventMeta,
): Promise<void> {
  const wanted = (await subscriptions.of(event)).filter((id) => !isAbout(event, metadata, id))
  if (wanted.length === 0) return
  const deliveries = wanted.map((channelId) => ({ id: uuidv7(), channelId }))
  const taken = await insertDeliveries(context.db, messageOf(event, metadata, meta), deliveries)
  await Promise.all(taken.map((channelId) => wake(context, channelId)))
}

/** A channel's failure is not told by the channel that fails. */
const isAbout = (event: AnnouncedName, metadata: object, channelId: string) =>
  event === 'channel.failed' && 'channelId' in metadata && metadata.channelId === channelId

/** Has some instance work on the channel. What is lost here is found by the next sweep. */
export async function wake({ jobs, log }: ChannelContext, channelId: string): Promise<void> {
  try {
    await jobs.send(DELIVER, { channelId }, { key: channelId })
  } catch (error) {
    log.warn({ err: error, channelId }, 'a channel could not be woken; it is found in a few seconds')
  }
}

/** Wakes the channels in which something waits that may be tried: after a backoff, a crash, a full turn. */
export async function wakeDueChannels(context: ChannelContext): Promise<void> {
  for (const channelId of await listDueChannels(context.db)) await wake(context, channelId)
}

const KEPT = { deliveredDays: 7, deadDays: 30, limit: 1_000 }

export async function clearLog({ db }: Pick<ChannelContext, 'db'>): Promise<void> {
  while ((await deleteOldDeliveries(db, KEPT)) === KEPT.limit);
}
