import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { CreateBody, Invitation, InvitationPage, ListQuery, NewInvitation } from './schemas.ts'
import { createInvitation, endInvitation, listAllInvitations, readInvitation } from './service.ts'

const tags = ['Invitations']

export const invitationRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/invitations', {
    config: { access: 'admin' },
    schema: {
      operationId: 'listInvitations',
      tags,
      summary: 'List invitations, newest first',
      description:
        'For administrators. Codes are not returned, only their first characters; `status` states whether they are valid.',
      querystring: ListQuery,
      response: { 200: InvitationPage },
    },
    handler: (request) => listAllInvitations(app, request.query),
  })

  app.post('/invitations', {
    config: { access: 'admin', secretAnswer: true },
    schema: {
      operationId: 'createInvitation',
      tags,
      summary: 'Create an invitation; its code is returned only once',
      description:
        'For administrators. With `email`, the account gets that address, and if a mail server is configured the code is sent there, which verifies the address. Without `expiresAt` it is valid until it is used up or revoked.',
      body: CreateBody,
      response: { 201: NewInvitation },
    },
    handler: async (request, reply) => {
      const invitation = await createInvitation(app, callerOf(request), request.body)
      return reply.header('location', `/api/invitations/${invitation.id}`).send(invitation)
    },
  })

  app.get('/invitations/:id', {
    config: { access: 'admin' },
    schema: {
      operationId: 'getInvitation',
      tags,
      summary: 'Get one invitation, without its code',
      description:
        "For administrators. The code can't be retrieved; create another invitation if it is lost.",
      params: IdParams,
      response: { 200: Invitation },
    },
    handler: (request) => readInvitation(app, request.params.id),
  })

  app.delete('/invitations/:id', {
    config: { ifMatch: true, access: 'admin' },
    schema: {
      operationId: 'revokeInvitation',
      tags,
      summary: 'Revoke an invitation; registered users stay',
      description:
        'For administrators. The code is invalid immediately; the invitation stays in the list as revoked.',
      params: IdParams,
      response: { 204: Type.Null() },
    },
    handler: (request) => endInvitation(app, callerOf(request), request.params.id),
  })
}
