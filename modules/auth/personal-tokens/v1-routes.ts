import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { callerOf, credentialsOf, type Caller } from '../../../plugins/security/access/index.ts'
import { forbidden } from '../../../plugins/http/errors.ts'
import { rotateItself } from './rotation.ts'
import { NewToken, OwnToken } from './schemas.ts'
import { readOwnToken } from './service.ts'

const tags = ['Open API', 'Personal tokens']

/** What a program does with the token that it uses; under /api/v1. */
export const ownTokenRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/token',
    {
      config: { access: 'api', permission: null },
      schema: {
        operationId: 'v1GetToken',
        tags,
        summary: 'Who this is: the token that the request comes with, and its owner',
        description:
          'What it may do, what narrows it, and when it ends. Every personal token may ask; an access token is none (403).',
        response: { 200: OwnToken },
      },
    },
    (request) => readOwnToken(app, byToken(request)),
  )

  app.post(
    '/token/rotate',
    {
      config: { access: 'api', permission: null, errors: [409], secretAnswer: true },
      schema: {
        operationId: 'v1RotateToken',
        tags,
        summary: 'A new token in the place of the one that the request comes with; it is shown this once',
        description:
          'It has the name, the rights and the end of the old one, which is good for an hour more; repeated in that hour, the answer is the same. Every personal token may do so; an access token is none (403).',
        response: { 201: NewToken },
      },
    },
    async (request, reply) => {
      const rotated = await rotateItself(app, byToken(request), credentialsOf(request).token)
      return reply.code(201).header('location', '/api/v1/token').send(rotated)
    },
  )
}

function byToken(request: FastifyRequest): Caller {
  if (request.principal.token !== null) return callerOf(request)
  throw forbidden('This is about the personal token that a request comes with, and this one has none')
}
