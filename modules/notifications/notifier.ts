import type { Executor } from '../../db/connection/connect.ts'
import type { Payloads, StoredEvent } from '../../plugins/events/outbox/event.ts'
import { CATALOGUE } from '../../schemas/events/event-catalogue.ts'
import { audienceOf } from './audience.ts'
import { mailTo, type MailContext } from './mail.ts'
import { toMessage, type Message } from './message.ts'
import { findAdministrators, findEverybody, type Receiver } from './queries.ts'
import { addNotification } from './store-queries.ts'

/** Gives an event to everybody whom it concerns: to their lists, and by e-mail. In the relay's transaction. */
export async function notifyPeople(context: MailContext, trx: Executor, event: StoredEvent): Promise<void> {
  if (event.name === 'notification.wanted') return passOn(trx, event.payload)
  const { actorId } = event.payload
  for (const { metadata, receivers } of await audienceOf(trx, event.name, event.payload)) {
    const message = toMessage(event.name, metadata, event)
    // To who did it it is no news, but the lists in their other windows change all the same.
    await give(trx, message, receivers, actorId)
    if (CATALOGUE[event.name].mail) {
      const others = receivers.filter(({ id }) => id !== actorId)
      await mailTo(context, trx, others, message, actorId !== null)
    }
  }
}

/** Gives an event to people who would not hear of it; who has heard hears nothing. */
async function passOn(
  trx: Executor,
  { event, eventId, at, metadata, to }: Payloads['notification.wanted'],
): Promise<void> {
  const receivers = await (to === 'admins' ? findAdministrators(trx) : findEverybody(trx))
  await give(trx, toMessage(event, metadata, { id: eventId, at: new Date(at) }), receivers, null)
}

const give = (trx: Executor, message: Message, receivers: readonly Receiver[], actorId: string | null) =>
  addNotification(
    trx,
    message,
    receivers.filter(({ inApp }) => inApp).map(({ id }) => ({ id, read: id === actorId })),
    { actorId, security: message.event.startsWith('account.') },
  )
