import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { IdParams } from '../../schemas/scalars.ts'
import type { NotificationContext } from './context.ts'
import { ListAnswer, ListQuery } from './schemas.ts'
import { clearNotifications, listNotifications, markNotificationRead, removeNotification } from './service.ts'
import { markAllRead } from './store-queries.ts'

/** The list of messages: under /api and under /api/v1. */
export const routes: FastifyPluginAsyncTypebox<{
  context: NotificationContext
  audience: Audience
}> = async (app, { context, audience: { accountRule, tags, operationId } }) => {
  const { db } = context

  app.get(
    '/notifications',
    {
      config: { ...accountRule('notifications:read'), errors: [503] },
      schema: {
        operationId: operationId('listNotifications'),
        tags: tags('Notifications'),
        summary: 'The newest messages to the signed-in user',
        description:
          'At most the newest 200 are kept of each user. `unreadCount` is of all of them, whatever the filter.',
        querystring: ListQuery,
        response: { 200: ListAnswer },
      },
    },
    (request) => listNotifications(db, request.principal.userId, request.query),
  )

  app.post(
    '/notifications/:id/read',
    {
      config: { ...accountRule('notifications:write'), errors: [503] },
      schema: {
        operationId: operationId('markNotificationRead'),
        tags: tags('Notifications'),
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
      config: { ...accountRule('notifications:write'), errors: [503] },
      schema: {
        operationId: operationId('markAllNotificationsRead'),
        tags: tags('Notifications'),
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
      config: { ...accountRule('notifications:write'), errors: [503] },
      schema: {
        operationId: operationId('deleteNotification'),
        tags: tags('Notifications'),
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
      config: { ifMatch: true, ...accountRule('notifications:write'), errors: [503] },
      schema: {
        operationId: operationId('deleteAllNotifications'),
        tags: tags('Notifications'),
        summary: 'Delete all messages of the signed-in user',
        description: 'Also the unread ones, for good. Messages of other users stay.',
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await clearNotifications(db, callerOf(request))
      return reply.code(204).send(null)
    },
  )
}
