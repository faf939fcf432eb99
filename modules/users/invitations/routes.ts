import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { CreateBody, Invitation, InvitationPage, ListQuery, NewInvitation } from './schemas.ts'
import { createInvitation, endInvitation, listAllInvitations, readInvitation } from './service.ts'

const tags = ['Invitations']

export const invitationRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/invitations',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'listInvitations',
        tags,
        summary: 'All invitations, newest first',
        description:
          'For administrators. Codes are not shown, only how they begin; `status` says whether they still count.',
        querystring: ListQuery,
        response: { 200: InvitationPage },
      },
    },
    (request) => listAllInvitations(app, request.query),
  )

  app.post(
    '/invitations',
    {
      config: { access: 'admin', secretAnswer: true },
      schema: {
        operationId: 'createInvitation',
        tags,
        summary: 'Invite somebody; the code is shown this once',
        description:
          'For administrators. With `email` the account gets that address, and the code is also sent there where there is a mail server: then who uses it has proved the address. Without `expiresAt` it counts until it is used up or revoked.',
        body: CreateBody,
        response: { 201: NewInvitation },
      },
    },
    async (request, reply) => {
      const invitation = await createInvitation(app, callerOf(request), request.body)
      return reply.code(201).header('location', `/api/invitations/${invitation.id}`).send(invitation)
    },
  )

  app.get(
    '/invitations/:id',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'getInvitation',
        tags,
        summary: 'One invitation, without its code',
        description:
          'For administrators. The code is nowhere to be read again: make another invitation when it is lost.',
        params: IdParams,
        response: { 200: Invitation },
      },
    },
    (request) => readInvitation(app, request.params.id),
  )

  app.delete(
    '/invitations/:id',
    {
      config: { ifMatch: true, access: 'admin' },
      schema: {
        operationId: 'revokeInvitation',
        tags,
        summary: 'Revoke an invitation; who registered with it stays',
        description:
          'For administrators. The code counts no more, at once; the invitation stays in the list as revoked.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await endInvitation(app, callerOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
