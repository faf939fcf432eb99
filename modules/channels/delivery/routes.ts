import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { once } from '../../../plugins/http/idempotency/key.ts'
import { UPSTREAM_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { listDeliveries, replayDelivery, testChannel } from './deliveries.ts'
import { Deliveries, Delivery, DeliveryParams, DeliveryQuery, TestReport } from '../schemas.ts'

const tags = ['Channels']

/** Channel tests and the delivery log; `stopping` aborts tests when the service stops. */
export const deliveryRoutes: FastifyPluginAsyncTypebox<{ stopping: AbortSignal }> = async (
  app,
  { stopping },
) => {
  app.post('/notifications/configs/:id/test', {
    config: { access: 'admin', rateLimit: { ...UPSTREAM_LIMIT, groupId: 'upstream' } },
    schema: {
      operationId: 'testChannel',
      tags,
      summary: 'Send a test message',
      description:
        'For administrators. Sends the event `channel.test` immediately, even if the channel is disabled, and returns 200 with the result. If it was delivered, pending deliveries are retried immediately.',
      params: IdParams,
      response: { 200: TestReport },
    },
    handler: (request) => testChannel(app, callerOf(request), request.params.id, stopping),
  })

  app.get('/notifications/configs/:id/deliveries', {
    config: { access: 'admin' },
    schema: {
      operationId: 'listDeliveries',
      tags,
      summary: 'List the deliveries of a channel, newest first',
      description: 'For administrators. Delivered messages are kept for 7 days, dead ones for 30.',
      params: IdParams,
      querystring: DeliveryQuery,
      response: { 200: Deliveries },
    },
    handler: (request) => listDeliveries(app, request.params.id, request.query),
  })

  app.post('/notifications/configs/:id/deliveries/:deliveryId/replay', {
    config: { access: 'admin', errors: [409] },
    schema: {
      operationId: 'replayDelivery',
      tags,
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
