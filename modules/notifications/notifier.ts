import type { Executor } from '../../db/connection/connect.ts'
import type { Payloads, StoredEvent } from '../../plugins/events/outbox/event.ts'
import { CATALOGUE } from '../../schemas/events/event-catalogue.ts'
import { audienceOf } from './audience.ts'
import { mailNotification, type MailContext } from './mail.ts'
import { toMessage, type Message } from './message.ts'
import { findAdministrators, findAllUsers, type Recipient } from './queries.ts'
import { addNotification } from './store-queries.ts'

/** Notifies the users an event concerns, in their lists and by email, in the relay's transaction. */
export async function notifyPeople(context: MailContext, trx: Executor, event: StoredEvent): Promise<void> {
  if (event.name === 'notification.wanted') return notifyOthers(trx, event.payload)
  const { actorId } = event.payload
  for (const { metadata, recipients } of await audienceOf(trx, event.name, event.payload)) {
    const message = toMessage(event.name, metadata, event)
    // Read already for the user who did it, whose other windows still update.
    await give(trx, message, recipients, actorId)
    if (CATALOGUE[event.name].mail) {
      const others = recipients.filter(({ id }) => id !== actorId)
      await mailNotification(context, trx, others, message, actorId !== null)
    }
  }
}

/** Notifies users the event would not reach otherwise; others got it already. */
async function notifyOthers(
  trx: Executor,
  { event, eventId, at, metadata, to }: Payloads['notification.wanted'],
): Promise<void> {
  const recipients = await (to === 'admins' ? findAdministrators(trx) : findAllUsers(trx))
  await give(trx, toMessage(event, metadata, { id: eventId, at: new Date(at) }), recipients, null)
}

const give = (trx: Executor, message: Message, recipients: readonly Recipient[], actorId: string | null) =>
  addNotification(
    trx,
    message,
    recipients.filter(({ inApp }) => inApp).map(({ id }) => ({ id, read: id === actorId })),
    { actorId, security: message.event.startsWith('account.') },
  )
