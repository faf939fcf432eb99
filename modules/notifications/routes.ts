import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { credentialsOf } from '../../plugins/access/index.ts'
import { IdParams } from '../../schemas/scalars.ts'
import type { NotificationContext } from './context.ts'
import { ListAnswer, ListQuery, STREAM_EXAMPLE, StreamQuery } from './schemas.ts'
import { listNotifications, markNotificationRead, removeNotification } from './service.ts'
import { clearEntries, markAllRead } from './store-queries.ts'
import { openStream } from './streams.ts'

const tags = ['Notifications']

export const routes: FastifyPluginAsyncTypebox<{ context: NotificationContext }> = async (
  app,
  { context },
) => {
  const { db } = context

  app.get(
    '/notifications',
    {
      config: { access: 'user', errors: [503] },
      schema: {
        operationId: 'listNotifications',
        tags,
        summary: 'The newest messages to the signed-in user',
        description:
          'At most the newest 200 are kept of each user. `unreadCount` is of all of them, whatever the filter.',
        querystring: ListQuery,
        response: { 200: ListAnswer },
      },
    },
    (request) => listNotifications(db, request.principal.userId, request.query),
  )

  app.get(
    '/notifications/stream',
    {
      config: { access: 'user', tokenInQuery: true, errors: [503] },
      // A HEAD would be answered by a stream that never ends.
      exposeHeadRoute: false,
      schema: {
        operationId: 'streamNotifications',
        tags,
        summary: 'Messages as they happen, as server-sent events',
        description:
          'Each message is a line `data:` with one JSON object like those of the list; the first has the event ' +
          '`connected`. With `Last-Event-ID` what was missed since that message follows. The stream ends with ' +
          'the session and when the access token expires: open it again with a new token. At most 5 at a time.',
        querystring: StreamQuery,
        response: {
          200: {
            description: 'The stream',
            content: { 'text/event-stream': { schema: Type.String({ examples: [STREAM_EXAMPLE] }) } },
          },
        },
      },
    },
    async (request, reply) => {
      const { userId, sessionId } = request.principal
      const { expiresAt } = app.tokens.verify(credentialsOf(request).token, 'access')
      const header = request.headers['last-event-id']
      const lastEventId = typeof header === 'string' ? header : request.query.lastEventId
      const { stream, first } = await openStream(context, { userId, sessionId, expiresAt }, lastEventId)
      stream.begin(reply, first)
    },
  )

  app.post(
    '/notifications/:id/read',
    {
      config: { access: 'user', errors: [503] },
      schema: {
        operationId: 'markNotificationRead',
        tags,
        summary: 'Mark one message read',
        description: 'A message that is read already stays so. Of another user it is 404.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await markNotificationRead(db, request.principal.userId, request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/notifications/read-all',
    {
      config: { access: 'user', errors: [503] },
      schema: {
        operationId: 'markAllNotificationsRead',
        tags,
        summary: 'Mark all messages read',
        description: 'Of the signed-in user. One that comes meanwhile may stay unread.',
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await markAllRead(db, request.principal.userId)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/notifications/:id',
    {
      config: { access: 'user', errors: [503] },
      schema: {
        operationId: 'deleteNotification',
        tags,
        summary: 'Delete one message',
        description: 'For good. Of another user it is 404.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeNotification(db, request.principal.userId, request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/notifications',
    {
      config: { access: 'user', errors: [503] },
      schema: {
        operationId: 'deleteAllNotifications',
        tags,
        summary: 'Delete all messages of the signed-in user',
        description: 'Also the unread ones, for good. Messages of other users stay.',
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await clearEntries(db, request.principal.userId)
      return reply.code(204).send(null)
    },
  )
}
