import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../plugins/access/index.ts'
import { ref } from '../../schemas/ref.ts'
import { IdParams } from '../../schemas/scalars.ts'
import {
  approveRequest,
  askForAssignment,
  cancelRequest,
  listVisibleRequests,
  readRequest,
  rejectRequest,
} from './requests.ts'
import {
  ApproveBody,
  AssignmentRequest,
  RejectBody,
  RequestBody,
  RequestPage,
  RequestQuery,
} from './schemas.ts'

const tags = ['Assignments']

export const requestRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/assignments/requests',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'listAssignmentRequests',
        tags,
        summary: 'Requests for assignments, newest first: all for administrators, else the own',
        querystring: RequestQuery,
        response: { 200: RequestPage },
      },
    },
    (request) => listVisibleRequests(app, callerOf(request), request.query),
  )

  app.post(
    '/assignments/requests',
    {
      config: { access: 'user', errors: [404, 409] },
      schema: {
        operationId: 'requestAssignment',
        tags,
        summary: 'Ask the administrators for rights on a domain or on names of it',
        body: RequestBody,
        response: { 201: ref(AssignmentRequest) },
      },
    },
    async (request, reply) => {
      const asked = await askForAssignment(app, callerOf(request), request.body)
      return reply.code(201).header('location', `/api/assignments/requests/${asked.id}`).send(asked)
    },
  )

  app.get(
    '/assignments/requests/:id',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'getAssignmentRequest',
        tags,
        summary: 'One request',
        params: IdParams,
        response: { 200: ref(AssignmentRequest) },
      },
    },
    (request) => readRequest(app, callerOf(request), request.params.id),
  )

  app.post(
    '/assignments/requests/:id/approve',
    {
      config: { access: 'admin', errors: [409] },
      schema: {
        operationId: 'approveAssignmentRequest',
        tags,
        summary: 'Give what was asked for, or less; it replaces what the user had of the same names',
        params: IdParams,
        body: ApproveBody,
        response: { 200: ref(AssignmentRequest) },
      },
    },
    (request) => approveRequest(app, callerOf(request), request.params.id, request.body ?? {}),
  )

  app.post(
    '/assignments/requests/:id/reject',
    {
      config: { access: 'admin', errors: [409] },
      schema: {
        operationId: 'rejectAssignmentRequest',
        tags,
        summary: 'Refuse a request, with the reason',
        params: IdParams,
        body: RejectBody,
        response: { 200: ref(AssignmentRequest) },
      },
    },
    (request) => rejectRequest(app, callerOf(request), request.params.id, request.body.reason),
  )

  app.post(
    '/assignments/requests/:id/cancel',
    {
      config: { access: 'user', errors: [409] },
      schema: {
        operationId: 'cancelAssignmentRequest',
        tags,
        summary: 'Take the own request back',
        params: IdParams,
        response: { 200: ref(AssignmentRequest) },
      },
    },
    (request) => cancelRequest(app, callerOf(request), request.params.id),
  )
}
