import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { ListAnswer, ListQuery } from './schemas.ts'
import { clearNotifications, listNotifications, markNotificationRead, removeNotification } from './service.ts'
import { markAllRead } from './store-queries.ts'

/** The list of notifications, under /api and /api/v1. */
export const routes: FastifyPluginAsyncTypebox<{
  audience: Audience
}> = async (app, { audience: { accountRule, tags, operationId } }) => {
  const { db } = app

  app.get('/notifications', {
    config: { ...accountRule('notifications:read'), errors: [503] },
    schema: {
      operationId: operationId('listNotifications'),
      tags: tags('Notifications'),
      summary: 'List your notifications, newest first',
      description:
        'The newest 200 are kept for each user. `unreadCount` counts all of them, regardless of the filter.',
      querystring: ListQuery,
      response: { 200: ListAnswer },
    },
    handler: (request) => listNotifications(db, request.principal.userId, request.query),
  })

  app.post('/notifications/:id/read', {
    config: { ...accountRule('notifications:write'), errors: [503] },
    schema: {
      operationId: operationId('markNotificationRead'),
      tags: tags('Notifications'),
      summary: 'Mark a notification as read',
      description: 'Has no effect if it is read already. 404 for a notification of another user.',
      params: IdParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await markNotificationRead(db, request.principal.userId, request.params.id)
      return reply.code(204).send(null)
    },
  })

  app.post('/notifications/read-all', {
    config: { ...accountRule('notifications:write'), errors: [503] },
    schema: {
      operationId: operationId('markAllNotificationsRead'),
      tags: tags('Notifications'),
      summary: 'Mark all notifications as read',
      description: 'A notification that arrives at the same time may stay unread.',
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await markAllRead(db, request.principal.userId)
      return reply.code(204).send(null)
    },
  })

  app.delete('/notifications/:id', {
    config: { ...accountRule('notifications:write'), errors: [503] },
    schema: {
      operationId: operationId('deleteNotification'),
      tags: tags('Notifications'),
      summary: 'Delete a notification',
      description: 'This cannot be undone. 404 for a notification of another user.',
      params: IdParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await removeNotification(db, request.principal.userId, request.params.id)
      return reply.code(204).send(null)
    },
  })

  app.delete('/notifications', {
    config: { ifMatch: true, ...accountRule('notifications:write'), errors: [503] },
    schema: {
      operationId: operationId('deleteAllNotifications'),
      tags: tags('Notifications'),
      summary: 'Delete all your notifications',
      description: 'Includes unread notifications. This cannot be undone.',
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await clearNotifications(db, callerOf(request))
      return reply.code(204).send(null)
    },
  })
}
