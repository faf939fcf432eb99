import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { callerOf, credentialsOf, type Caller } from '../../../plugins/security/access/index.ts'
import { forbidden } from '../../../plugins/http/errors.ts'
import { rotateItself } from './rotation.ts'
import { NewToken, OwnToken } from './schemas.ts'
import { readOwnToken } from './service.ts'

const tags = ['Open API', 'Personal tokens']

/** Operations of a program on its own token; under /api/v1. */
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
}

function byToken(request: FastifyRequest): Caller {
  if (request.principal.token !== null) return callerOf(request)
  throw forbidden('This is about the personal token of the request, and this request has none')
}
