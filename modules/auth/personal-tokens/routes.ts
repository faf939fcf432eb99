import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { rotateToken } from './rotation.ts'
import { CreateTokenBody, NewToken, RotateBody, TokenList } from './schemas.ts'
import { createToken, listTokens, revokeToken } from './service.ts'

const tags = ['Personal tokens']

/** The user's own tokens. */
export const personalTokenRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/me/tokens', {
    config: { access: 'user' },
    schema: {
      operationId: 'listTokens',
      tags,
      summary: 'List your personal tokens',
      description:
        'First characters, permissions and last use of each. The tokens themselves are never returned again.',
      response: { 200: TokenList },
    },
    handler: (request) => listTokens(app, callerOf(request), request.principal.userId),
  })

  app.post('/me/tokens', {
    config: { access: 'user', errors: [403, 409], secretAnswer: true },
    schema: {
      operationId: 'createToken',
      tags,
      summary: 'Create a personal token for the Open API; it is returned only once',
      description:
        'It never has more permissions than its user at that moment, and `restrictions` limit it further. A user can have 100 (409). It works under `/api/v1` only. Requires a sign-in in the last 10 minutes, or the password (403 `reauthentication_required`).',
      body: CreateTokenBody,
      response: { 201: NewToken },
    },
    handler: async (request, reply) => {
      const { userId } = request.principal
      const token = await createToken(app, callerOf(request), userId, request.body)
      return reply.header('location', `/api/auth/me/tokens/${token.id}`).send(token)
    },
  })

  app.post('/me/tokens/:id/rotate', {
    config: { access: 'user', errors: [403, 409], secretAnswer: true },
    schema: {
      operationId: 'rotateToken',
      tags,
      summary: 'Replace a personal token; the new one is returned only once',
      description:
        'The new one has the name and permissions of the old one, which is valid for another hour. A token that was already replaced is 409. Requires a sign-in in the last 10 minutes, or the password (403 `reauthentication_required`).',
      params: IdParams,
      body: RotateBody,
      response: { 201: NewToken },
    },
    handler: async (request, reply) => {
      const { principal, params, body } = request
      const token = await rotateToken(app, callerOf(request), principal.userId, params.id, body ?? {})
      return reply.header('location', `/api/auth/me/tokens/${token.id}`).send(token)
    },
  })

  app.delete('/me/tokens/:id', {
    config: { access: 'user' },
    schema: {
      operationId: 'revokeToken',
      tags,
      summary: 'Revoke a personal token',
      description:
        'Takes effect with the next request, on every instance; its predecessors and successors are revoked with it. A token of another user is 404.',
      params: IdParams,
      response: { 204: Type.Null() },
    },
    handler: (request) => revokeToken(app, callerOf(request), request.principal.userId, request.params.id),
  })
}
