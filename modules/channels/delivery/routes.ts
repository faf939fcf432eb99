import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { once } from '../../../plugins/http/idempotency/key.ts'
import { UPSTREAM_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { listDeliveries, replayDelivery, testChannel } from './deliveries.ts'
import { Deliveries, Delivery, DeliveryParams, DeliveryQuery, TestReport } from '../schemas.ts'

/** Channel tests and the delivery log; `stopping` aborts tests when the service stops. */
export const deliveryRoutes: FastifyPluginAsyncTypebox<{
  stopping: AbortSignal
  audience: Audience
}> = async (app, { stopping, audience: { adminRule, tags, operationId } }) => {
  app.post('/notifications/configs/:id/test', {
    config: { ...adminRule('channels:write'), rateLimit: { ...UPSTREAM_LIMIT, groupId: 'upstream' } },
    schema: {
      operationId: operationId('testChannel'),
      tags: tags('Channels'),
      summary: 'Send a test message',
      description:
        'For administrators. Sends the event `channel.test` immediately, even if the channel is disabled, and returns 200 with the result. If it was delivered, pending deliveries are retried immediately.',
      params: IdParams,
      response: { 200: TestReport },
    },
    handler: (request) => testChannel(app, callerOf(request), request.params.id, stopping),
  })

  app.get('/notifications/configs/:id/deliveries', {
    config: { ...adminRule('channels:read') },
    schema: {
      operationId: operationId('listDeliveries'),
      tags: tags('Channels'),
      summary: 'List the deliveries of a channel, newest first',
      description: 'For administrators. Delivered messages are kept for 7 days, dead ones for 30.',
      params: IdParams,
      querystring: DeliveryQuery,
      response: { 200: Deliveries },
    },
    handler: (request) => listDeliveries(app, request.params.id, request.query),
  })

  app.post('/notifications/configs/:id/deliveries/:deliveryId/replay', {
    config: { ...adminRule('channels:write'), errors: [409] },
    schema: {
      operationId: operationId('replayDelivery'),
      tags: tags('Channels'),
      summary: 'Retry a dead delivery',
      description:
        'For administrators. The delivery returns to its place in chronological order and is sent immediately, with the same message id. 409 if it is not dead.',
      params: DeliveryParams,
      response: { 200: Delivery },
    },
    handler: (request) => {
      const caller = callerOf(request)
      const { id, deliveryId } = request.params
      return once(caller, () => replayDelivery(app, caller, id, deliveryId))
    },
  })
}
