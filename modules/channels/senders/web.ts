import { Type, type Static } from '@sinclair/typebox'
import { announce } from '../../../plugins/events/outbox/announce.ts'
import { DeliveryError, type Sender } from './contract.ts'
import { named } from '../../../schemas/named.ts'
import { OneOf } from '../../../schemas/scalars.ts'

const Config = Type.Object(
  {
    audience: OneOf(['admins', 'all'], { ...named('WebAudience'), title: 'Recipients' }),
  },
  named('WebConfig'),
)
type Config = Static<typeof Config>

/** Notifications in the console, for people the event would not reach otherwise. */
export const web: Sender<Config> = {
  kind: 'web',
  schema: Config,
  pace: null,
  check: () => [],
  mask: (config) => config,
  async send({ id, event, metadata, createdAt }, { audience }, { db }) {
    try {
      await announce(db, 'notification.wanted', { event, eventId: id, at: createdAt, metadata, to: audience })
    } catch (cause) {
      throw new DeliveryError('The message could not be stored', { code: 'receiver_not_stored', cause })
    }
  },
}
