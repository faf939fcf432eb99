import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { credentialsOf, unauthenticated } from '../../../plugins/security/access/index.ts'
import type { StreamOwner } from '../../../plugins/events/sse.ts'
import { STREAM_EXAMPLE, StreamQuery } from '../schemas.ts'
import { openStream, type StreamContext } from './streams.ts'

/** The event stream of notifications: under /api, and under /api/v1 for tokens. `inQuery`: also with the token in the query. */
export const streamRoutes: FastifyPluginAsyncTypebox<{
  audience: Audience
  context: StreamContext
  inQuery: boolean
}> = async (app, { audience: { accountRule, tags, operationId }, context, inQuery }) => {
  app.get('/notifications/stream', {
    config: { ...accountRule('notifications:read'), ...(inQuery && { tokenInQuery: true }), errors: [503] },
    // A HEAD would get a stream that never ends.
    exposeHeadRoute: false,
    schema: {
      operationId: operationId('streamNotifications'),
      tags: tags('Notifications'),
      summary: 'Stream notifications as server-sent events',
      description:
        'Each message is a `data:` line with one JSON object like those of the list; the first has the event ' +
        '`connected`. With `Last-Event-ID`, the notifications since that message follow. The stream ends with the ' +
        'session, and when its token expires or is revoked; reopen it with a new token. At most 5 streams per user.',
      querystring: StreamQuery,
      response: {
        200: {
          description: 'The stream',
          content: { 'text/event-stream': { schema: Type.String({ examples: [STREAM_EXAMPLE] }) } },
        },
      },
    },
    handler: async (request, reply) => {
      const header = request.headers['last-event-id']
      const lastEventId = typeof header === 'string' ? header : request.query.lastEventId
      const { stream, first } = await openStream(context, await ownerOf(request), lastEventId)
      stream.begin(reply, first)
    },
  })

  async function ownerOf(request: FastifyRequest): Promise<StreamOwner> {
    const { userId, sessionId, token: grant } = request.principal
    const { token } = credentialsOf(request)
    if (grant === null) {
      const { expiresAt } = app.tokens.verify(token, 'access')
      return { userId, sessionId, tokenId: null, expiresAt }
    }
    const owner = await app.principals.byToken(token, request)
    if (!owner) throw unauthenticated('This personal token has just ended')
    return { userId, sessionId, tokenId: owner.id, expiresAt: owner.expiresAt }
  }
}
