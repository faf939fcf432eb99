import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { rotateToken } from './rotation.ts'
import { CreateTokenBody, MachineTokenParams, NewToken, RotateBody, TokenList } from './schemas.ts'
import { createToken, listTokens, revokeToken } from './service.ts'

const tags = ['Personal tokens']

const FOR_WHOM = "For administrators and machine accounts; 409 for a person's account."
const FRESH =
  'Requires a sign-in in the last 10 minutes, or the password (403 `reauthentication_required`), of the administrator.'

/** Tokens of machine accounts, managed by administrators. */
export const machineTokenRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/users/:id/tokens', {
    config: { access: 'admin', errors: [409] },
    schema: {
      operationId: 'listMachineTokens',
      tags,
      summary: 'List the tokens of a machine account',
      description: `${FOR_WHOM} The tokens themselves are never returned again.`,
      params: IdParams,
      response: { 200: TokenList },
    },
    handler: (request) => listTokens(app, callerOf(request), request.params.id),
  })

  app.post('/users/:id/tokens', {
    config: { access: 'admin', errors: [409], secretAnswer: true },
    schema: {
      operationId: 'createMachineToken',
      tags,
      summary: 'Create a token for a machine account; it is returned only once',
      description: `${FOR_WHOM} It never has more permissions than the machine account. ${FRESH}`,
      params: IdParams,
      body: CreateTokenBody,
      response: { 201: NewToken },
    },
    handler: async (request, reply) => {
      const { id } = request.params
      const token = await createToken(app, callerOf(request), id, request.body)
      return reply.header('location', `/api/users/${id}/tokens/${token.id}`).send(token)
    },
  })

  app.post('/users/:id/tokens/:tokenId/rotate', {
    config: { access: 'admin', errors: [409], secretAnswer: true },
    schema: {
      operationId: 'rotateMachineToken',
      tags,
      summary: 'Replace a token of a machine account; the new one is returned only once',
      description: `${FOR_WHOM} The old one is valid for another hour; a token that was already replaced is 409. ${FRESH}`,
      params: MachineTokenParams,
      body: RotateBody,
      response: { 201: NewToken },
    },
    handler: async (request, reply) => {
      const { id, tokenId } = request.params
      const token = await rotateToken(app, callerOf(request), id, tokenId, request.body ?? {})
      return reply.header('location', `/api/users/${id}/tokens/${token.id}`).send(token)
    },
  })

  app.delete('/users/:id/tokens/:tokenId', {
    config: { access: 'admin', errors: [409] },
    schema: {
      operationId: 'revokeMachineToken',
      tags,
      summary: 'Revoke a token of a machine account',
      description: `${FOR_WHOM} Takes effect with the next request, on every instance; its predecessors and successors are revoked with it.`,
      params: MachineTokenParams,
      response: { 204: Type.Null() },
    },
    handler: (request) => revokeToken(app, callerOf(request), request.params.id, request.params.tokenId),
  })
}
