import { Type } from '@sinclair/typebox'
import { entry } from './event-entry.ts'
import { ToldErrorReason } from '../problem.ts'
import { Uuid } from '../scalars.ts'

export const CHANNEL_EVENTS = {
  'channel.failed': entry({
    level: 'error',
    audience: 'administrators',
    mail: true,
    metadata: Type.Object({
      channelId: Uuid,
      channel: Type.String({ examples: ['webhook'] }),
      name: Type.String({ examples: ['Operations'] }),
      deliveryId: Uuid,
      event: Type.String({ examples: ['domain.expiring'] }),
      error: Type.String({ examples: ['HTTP status 500'] }),
      ...ToldErrorReason,
    }),
    title: ({ name }) => `Channel ${name} rejects messages`,
    content: ({ name, event, error }) =>
      `A message about ${event} could not be delivered to ${name}: ${error}`,
  }),
  // Only sent to the tested channel.
  'channel.test': entry({
    level: 'info',
    audience: 'users',
    mail: false,
    metadata: Type.Object({
      channelId: Uuid,
      channel: Type.String({ examples: ['webhook'] }),
      name: Type.String({ examples: ['Operations'] }),
    }),
    title: ({ name }) => `Test of channel ${name}`,
    content: () => 'An administrator is testing this channel. If you can read this, it works.',
  }),
}
