import { CATALOGUE, type AnnouncedName, type Announcement } from '../../schemas/event-catalogue.ts'
import type { EventMeta, Events } from '../../schemas/events.ts'
import { audienceOf } from './audience.ts'
import type { NotificationContext } from './context.ts'
import { mailTo } from './mail.ts'
import { toMessage, toNotification } from './message.ts'
import { findAdministrators, findEverybody, type Receiver } from './queries.ts'
import type { Message } from './store/contract.ts'

/** Tells everybody whom an event concerns: in the list, in open streams, by e-mail. Once for each event id. */
export async function announce(
  context: NotificationContext,
  name: AnnouncedName,
  { actorId, ...announcement }: Announcement<object>,
  meta: EventMeta,
): Promise<void> {
  for (const { metadata, receivers } of await audienceOf(context.db, name, { actorId, ...announcement })) {
    const message = toMessage(name, metadata, meta)
    const others = receivers.filter(({ id }) => id !== actorId)
    const added = await tell(context, others, message, false)
    // To who did it it is no news, but the lists in their other windows change all the same.
    const actor = receivers.filter(({ id }) => id === actorId)
    await tell(context, actor, message, true)
    if (CATALOGUE[name].mail) {
      // An event that is told again is mailed again only to who has no list to find it in.
      const open = others.filter(({ id, inApp }) => !inApp || added.has(id))
      mailTo(open, message, context)
    }
  }
}

/** Passes an event on to people who would not hear of it; who has heard hears nothing. */
export async function passOn(
  context: NotificationContext,
  { event, metadata, to }: Events['notification.wanted'],
  meta: EventMeta,
): Promise<void> {
  const receivers = await (to === 'admins' ? findAdministrators(context.db) : findEverybody(context.db))
  await tell(context, receivers, toMessage(event, metadata, meta), false)
}

/** Stores the message and has it sent to open streams, on all instances. Answers who did not have it. */
async function tell(
  { store, events }: NotificationContext,
  receivers: readonly Receiver[],
  message: Message,
  read: boolean,
): Promise<Set<string>> {
  const wanting = receivers.filter(({ inApp }) => inApp).map(({ id }) => id)
  const added = wanting.length === 0 ? [] : await store.add(wanting, message, read)
  if (added.length > 0) {
    const text = JSON.stringify(toNotification({ message, read }))
    events.emit('notification.added', { userIds: added, id: message.id, message: text })
  }
  return new Set(added)
}
