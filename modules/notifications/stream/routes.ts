import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { credentialsOf } from '../../../plugins/security/access/index.ts'
import { STREAM_EXAMPLE, StreamQuery } from '../schemas.ts'
import { openStream, type StreamContext } from './streams.ts'

const tags = ['Notifications']

/** The event stream of notifications. */
export const streamRoutes: FastifyPluginAsyncTypebox<{ context: StreamContext }> = async (
  app,
  { context },
) => {
  app.get('/notifications/stream', {
    config: { access: 'user', tokenInQuery: true, errors: [503] },
    // A HEAD would get a stream that never ends.
    exposeHeadRoute: false,
    schema: {
      operationId: 'streamNotifications',
      tags,
      summary: 'Stream notifications as server-sent events',
      description:
        'Each message is a `data:` line with one JSON object like those of the list; the first has the event ' +
        '`connected`. With `Last-Event-ID`, the notifications since that message follow. The stream ends with the ' +
        'session and when the access token expires; reopen it with a new token. At most 5 streams per user.',
      querystring: StreamQuery,
      response: {
        200: {
          description: 'The stream',
          content: { 'text/event-stream': { schema: Type.String({ examples: [STREAM_EXAMPLE] }) } },
        },
      },
    },
    handler: async (request, reply) => {
      const { userId, sessionId } = request.principal
      const { expiresAt } = app.tokens.verify(credentialsOf(request).token, 'access')
      const header = request.headers['last-event-id']
      const lastEventId = typeof header === 'string' ? header : request.query.lastEventId
      const { stream, first } = await openStream(context, { userId, sessionId, expiresAt }, lastEventId)
      stream.begin(reply, first)
    },
  })
}
