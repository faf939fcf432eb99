import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { rotateToken } from './rotation.ts'
import { CreateTokenBody, NewToken, RotateBody, TokenList } from './schemas.ts'
import { createToken, listTokens, revokeToken } from './service.ts'

const tags = ['Personal tokens']

/** The own tokens. */
export const personalTokenRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/me/tokens',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'listTokens',
        tags,
        summary: 'The own personal tokens',
        description:
          'The tokens of the signed-in user: how each begins, what it may do and when it was last used. The token itself is never shown again.',
        response: { 200: TokenList },
      },
    },
    (request) => listTokens(app, callerOf(request), request.principal.userId),
  )

  app.post(
    '/me/tokens',
    {
      config: { access: 'user', errors: [403, 409], secretAnswer: true },
      schema: {
        operationId: 'createToken',
        tags,
        summary: 'Create a personal token for the Open API; it is shown this once',
        description:
          'It never has more rights than its user has at that moment, and `restrictions` narrow it further. At most 100 of a user (409). It opens `/api/v1` alone, not the rest of the API. Needs a sign-in of the last 10 minutes, or the password (403 `reauthentication_required`).',
        body: CreateTokenBody,
        response: { 201: NewToken },
      },
    },
    async (request, reply) => {
      const { userId } = request.principal
      const token = await createToken(app, callerOf(request), userId, request.body)
      return reply.code(201).header('location', `/api/auth/me/tokens/${token.id}`).send(token)
    },
  )

  app.post(
    '/me/tokens/:id/rotate',
    {
      config: { access: 'user', errors: [403, 409], secretAnswer: true },
      schema: {
        operationId: 'rotateToken',
        tags,
        summary: 'A new personal token in the place of one; it is shown this once',
        description:
          'It has the name and the rights of the old one, which is good for an hour more. One that was replaced already is 409. Needs a sign-in of the last 10 minutes, or the password (403 `reauthentication_required`).',
        params: IdParams,
        body: RotateBody,
        response: { 201: NewToken },
      },
    },
    async (request, reply) => {
      const { principal, params, body } = request
      const token = await rotateToken(app, callerOf(request), principal.userId, params.id, body ?? {})
      return reply.code(201).header('location', `/api/auth/me/tokens/${token.id}`).send(token)
    },
  )

  app.delete(
    '/me/tokens/:id',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'revokeToken',
        tags,
        summary: 'Revoke a personal token',
        description:
          'In force on the next request, on every instance; what it took the place of, and what took its place, ends with it. Of another user it is 404.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await revokeToken(app, callerOf(request), request.principal.userId, request.params.id)
      return reply.code(204).send(null)
    },
  )
}
