import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { once } from '../../plugins/http/idempotency/key.ts'
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

export const requestRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, accountRule, adminRule, tags, operationId } },
) => {
  app.get('/assignments/requests', {
    config: { ...accountRule('assignments:read') },
    schema: {
      operationId: operationId('listAssignmentRequests'),
      tags: tags('Assignments'),
      summary: 'Permission requests, newest first: all for administrators, otherwise your own',
      description: 'Includes decided requests. `status=pending` lists open ones.',
      querystring: RequestQuery,
      response: { 200: RequestPage },
    },
    handler: (request) => listVisibleRequests(app, callerOf(request), request.query),
  })

  app.post('/assignments/requests', {
    config: { ...accountRule('assignments:write'), errors: [404, 409] },
    schema: {
      operationId: operationId('requestAssignment'),
      tags: tags('Assignments'),
      summary: 'Request permission on a domain or part of it',
      description:
        "For members; administrators already have all permissions (409). Name the domain by name or id; it needn't be visible to you. 409 if you already have the permission or have an open request for it.",
      body: RequestBody,
      response: { 201: ref(AssignmentRequest) },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const asked = await once(caller, () => askForAssignment(app, caller, request.body))
      return reply.header('location', `${base}/assignments/requests/${asked.id}`).send(asked)
    },
  })

  app.get('/assignments/requests/:id', {
    config: { ...accountRule('assignments:read') },
    schema: {
      operationId: operationId('getAssignmentRequest'),
      tags: tags('Assignments'),
      summary: 'A permission request',
      description: 'For the requester and administrators; 404 for others.',
      params: IdParams,
      response: { 200: ref(AssignmentRequest) },
    },
    handler: (request) => readRequest(app, callerOf(request), request.params.id),
  })

  app.post('/assignments/requests/:id/approve', {
    config: { ...adminRule('assignments:write'), errors: [409] },
    schema: {
      operationId: operationId('approveAssignmentRequest'),
      tags: tags('Assignments'),
      summary: "Grant a request, in full or in part; replaces the user's permission on the same names",
      description:
        'For administrators. You can grant less than requested; more is 400. If several administrators decide at the same time, one succeeds and the others get 409. The requester is notified.',
      params: IdParams,
      body: ApproveBody,
      response: { 200: ref(AssignmentRequest) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return once(caller, () => approveRequest(app, caller, request.params.id, request.body ?? {}))
    },
  })

  app.post('/assignments/requests/:id/reject', {
    config: { ...adminRule('assignments:write'), errors: [409] },
    schema: {
      operationId: operationId('rejectAssignmentRequest'),
      tags: tags('Assignments'),
      summary: 'Reject a request with a reason',
      description:
        "For administrators. The requester is notified with the reason. A decided request can't be decided again (409).",
      params: IdParams,
      body: RejectBody,
      response: { 200: ref(AssignmentRequest) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return once(caller, () => rejectRequest(app, caller, request.params.id, request.body.reason))
    },
  })

  app.post('/assignments/requests/:id/cancel', {
    config: { ...accountRule('assignments:write'), errors: [409] },
    schema: {
      operationId: operationId('cancelAssignmentRequest'),
      tags: tags('Assignments'),
      summary: 'Cancel your own request',
      description: 'For the requester, until the request is decided (409).',
      params: IdParams,
      response: { 200: ref(AssignmentRequest) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return once(caller, () => cancelRequest(app, caller, request.params.id))
    },
  })
}
