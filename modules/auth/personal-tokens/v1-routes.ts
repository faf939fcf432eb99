import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { callerOf, credentialsOf, type Caller } from '../../../plugins/security/access/index.ts'
import { forbidden } from '../../../plugins/http/errors.ts'
import { OPEN_API } from '../../../plugins/openapi/audience.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { rotateItself } from './rotation.ts'
import { NewToken, OwnToken, TokenList } from './schemas.ts'
import { listTokens, readOwnToken, revokeToken } from './service.ts'

const tags = ['Open API', 'Personal tokens']

/** Operations of a program on its own token and the others of its user; under /api/v1. None creates one from nothing. */
export const ownTokenRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/token', {
    config: { access: 'api', permission: null },
    schema: {
      operationId: 'v1GetToken',
      tags,
      summary: 'Describe the token in use and its owner',
      description:
        "Permissions, restrictions and expiry. Every personal token can call this; access tokens can't (403).",
      response: { 200: OwnToken },
    },
    handler: (request) => readOwnToken(app, byToken(request)),
  })

  app.post('/token/rotate', {
    config: { access: 'api', permission: null, errors: [409], secretAnswer: true },
    schema: {
      operationId: 'v1RotateToken',
      tags,
      summary: 'Replace the token in use; the new one is returned only once',
      description:
        "The new one has the name, permissions and expiry of the old one, which is valid for another hour; repeated within that hour, the answer is the same. Every personal token can call this; access tokens can't (403).",
      response: { 201: NewToken },
    },
    handler: async (request, reply) => {
      const rotated = await rotateItself(app, byToken(request), credentialsOf(request).token)
      return reply.header('location', '/api/v1/token').send(rotated)
    },
  })

  app.post('/token/revoke', {
    config: { access: 'api', permission: null },
    schema: {
      operationId: 'v1RevokeOwnToken',
      tags,
      summary: 'Revoke the token in use',
      description:
        "Takes effect with the next request, on every instance; its predecessors and successors are revoked with it. Every personal token can call this; access tokens can't (403).",
      response: { 204: Type.Null() },
    },
    handler: (request) => {
      const caller = byToken(request)
      return revokeToken(app, caller, caller.userId, caller.token?.id as string)
    },
  })

  app.get('/tokens', {
    config: { ...OPEN_API.accountRule('tokens:read') },
    schema: {
      operationId: 'v1ListTokens',
      tags,
      summary: 'List the personal tokens of your user',
      description: 'The tokens themselves are never returned.',
      response: { 200: TokenList },
    },
    handler: (request) => listTokens(app, callerOf(request), request.principal.userId),
  })

  app.delete('/tokens/:id', {
    config: { ...OPEN_API.accountRule('tokens:revoke') },
    schema: {
      operationId: 'v1RevokeToken',
      tags,
      summary: 'Revoke a personal token of your user',
      description:
        'Takes effect with the next request, on every instance; its predecessors and successors are revoked with it. A token of another user is 404.',
      params: IdParams,
      response: { 204: Type.Null() },
    },
    handler: (request) => revokeToken(app, callerOf(request), request.principal.userId, request.params.id),
  })
}

function byToken(request: FastifyRequest): Caller {
  if (request.principal.token !== null) return callerOf(request)
  throw forbidden('This is about the personal token of the request, and this request has none')
}
