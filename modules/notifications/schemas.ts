import { Type } from '@sinclair/typebox'
import { Notification } from '../../schemas/events/notification.ts'
import { MAX_KEPT } from './store-queries.ts'

export const ListQuery = Type.Object({
  unread: Type.Optional(
    Type.Boolean({ description: 'Only unread, or only read notifications', examples: [true] }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: MAX_KEPT, default: MAX_KEPT, examples: [50] }),
})

export const ListAnswer = Type.Object({
  notifications: Type.Array(Notification, { description: 'Newest first' }),
  unreadCount: Type.Integer({ description: 'Regardless of the filter', examples: [1] }),
})

export const StreamQuery = Type.Object({
  lastEventId: Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'Like the `Last-Event-ID` header, for clients that cannot send it; the header takes precedence',
      examples: ['0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10'],
    }),
  ),
})

export const STREAM_EXAMPLE =
  'retry: 3000\n' +
  'id: 0193a1c2-7d40-7b3a-9f51-2c8e6a5d4b10\n' +
  'data: {"event":"connected","id":"0193a1c2-9a11-7c02-8d5e-1f6b0c9a7e21","title":"Connected",' +
  '"content":"Notifications arrive here as they happen.","level":"info","read":true,' +
  '"createdAt":"2026-11-21T12:00:00.000Z","metadata":{}}\n\n' +
  ':\n\n'
