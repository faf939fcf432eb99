import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { once } from '../../../plugins/http/idempotency/key.ts'
import { UPSTREAM_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { listDeliveries, replayDelivery, testChannel } from './deliveries.ts'
import { Deliveries, Delivery, DeliveryParams, DeliveryQuery, TestReport } from '../schemas.ts'

const tags = ['Channels']

/** What becomes of the messages; `stopping` interrupts tests when the service stops. */
export const deliveryRoutes: FastifyPluginAsyncTypebox<{ stopping: AbortSignal }> = async (
  app,
  { stopping },
) => {
  app.post(
    '/notifications/configs/:id/test',
    {
      config: { access: 'admin', rateLimit: { ...UPSTREAM_LIMIT, groupId: 'upstream' } },
      schema: {
        operationId: 'testChannel',
        tags,
        summary: 'Send one message now and say what happened',
        description:
          'For administrators. Sends the event `channel.test` to this receiver, also when the channel is off. Answers 200 with how it went; when it arrived, what waits is tried at once.',
        params: IdParams,
        response: { 200: TestReport },
      },
    },
    (request) => testChannel(app, callerOf(request), request.params.id, stopping),
  )

  app.get(
    '/notifications/configs/:id/deliveries',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'listDeliveries',
        tags,
        summary: 'What the channel was to send, newest first',
        description: 'Delivered messages are kept for 7 days, dead ones for 30.',
        params: IdParams,
        querystring: DeliveryQuery,
        response: { 200: Deliveries },
      },
    },
    (request) => listDeliveries(app, request.params.id, request.query),
  )

  app.post(
    '/notifications/configs/:id/deliveries/:deliveryId/replay',
    {
      config: { access: 'admin', errors: [409] },
      schema: {
        operationId: 'replayDelivery',
        tags,
        summary: 'Try a dead message again, with the same id',
        description:
          'For administrators. It goes back to its place in the order of time, and the channel begins at once. Receivers know it by the same id. 409 for one that is not dead.',
        params: DeliveryParams,
        response: { 200: Delivery },
      },
    },
    (request) => {
      const caller = callerOf(request)
      const { id, deliveryId } = request.params
      return once(caller, () => replayDelivery(app, caller, id, deliveryId))
    },
  )
}
