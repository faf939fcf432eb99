import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { rotateToken } from './rotation.ts'
import { CreateTokenBody, MachineTokenParams, NewToken, RotateBody, TokenList } from './schemas.ts'
import { createToken, listTokens, revokeToken } from './service.ts'

const tags = ['Personal tokens']

const FOR_WHOM = 'For administrators, of the accounts of machines; of a person it is 409.'
const FRESH =
  'Needs a sign-in of the last 10 minutes, or the password (403 `reauthentication_required`), of the administrator.'

/** The tokens of machines, which administrators look after. */
export const machineTokenRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/users/:id/tokens',
    {
      config: { access: 'admin', errors: [409] },
      schema: {
        operationId: 'listMachineTokens',
        tags,
        summary: 'The tokens of a machine',
        description: `${FOR_WHOM} The tokens themselves are never shown again.`,
        params: IdParams,
        response: { 200: TokenList },
      },
    },
    (request) => listTokens(app, callerOf(request), request.params.id),
  )

  app.post(
    '/users/:id/tokens',
    {
      config: { access: 'admin', errors: [409], secretAnswer: true },
      schema: {
        operationId: 'createMachineToken',
        tags,
        summary: 'Create a token of a machine; it is shown this once',
        description: `${FOR_WHOM} It never has more rights than the machine has. ${FRESH}`,
        params: IdParams,
        body: CreateTokenBody,
        response: { 201: NewToken },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const token = await createToken(app, callerOf(request), id, request.body)
      return reply.code(201).header('location', `/api/users/${id}/tokens/${token.id}`).send(token)
    },
  )

  app.post(
    '/users/:id/tokens/:tokenId/rotate',
    {
      config: { access: 'admin', errors: [409], secretAnswer: true },
      schema: {
        operationId: 'rotateMachineToken',
        tags,
        summary: 'A new token of a machine in the place of one; it is shown this once',
        description: `${FOR_WHOM} The old one is good for an hour more; one that was replaced already is 409. ${FRESH}`,
        params: MachineTokenParams,
        body: RotateBody,
        response: { 201: NewToken },
      },
    },
    async (request, reply) => {
      const { id, tokenId } = request.params
      const token = await rotateToken(app, callerOf(request), id, tokenId, request.body ?? {})
      return reply.code(201).header('location', `/api/users/${id}/tokens/${token.id}`).send(token)
    },
  )

  app.delete(
    '/users/:id/tokens/:tokenId',
    {
      config: { access: 'admin', errors: [409] },
      schema: {
        operationId: 'revokeMachineToken',
        tags,
        summary: 'Revoke a token of a machine',
        description: `${FOR_WHOM} In force on the next request, on every instance; what it took the place of, and what took its place, ends with it.`,
        params: MachineTokenParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await revokeToken(app, callerOf(request), request.params.id, request.params.tokenId)
      return reply.code(204).send(null)
    },
  )
}
