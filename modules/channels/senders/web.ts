import { Type, type Static } from '@sinclair/typebox'
import { DeliveryError, type Sender } from './contract.ts'

const Config = Type.Object({
  audience: Type.Unsafe<'admins' | 'all'>({
    type: 'string',
    enum: ['admins', 'all'],
    title: 'Who is told',
    examples: ['admins'],
  }),
})
type Config = Static<typeof Config>

/** Messages inside the service, to people who would not hear of the event otherwise. */
export const web: Sender<Config> = {
  kind: 'web',
  schema: Config,
  pace: null,
  check: () => [],
  mask: (config) => config,
  async send({ id, event, metadata }, { audience }, { events }) {
    try {
      await events.deliver('notification.wanted', { event, metadata, to: audience }, id)
    } catch (cause) {
      throw new DeliveryError('The message could not be stored', { cause })
    }
  },
}
