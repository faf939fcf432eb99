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
  app.get(
    '/assignments/requests',
    {
      config: { ...accountRule('assignments:read') },
      schema: {
        operationId: operationId('listAssignmentRequests'),
        tags: tags('Assignments'),
        summary: 'Requests for assignments, newest first: all for administrators, else the own',
        description: 'Also those that are decided. `status=pending` are those that wait.',
        querystring: RequestQuery,
        response: { 200: RequestPage },
      },
    },
    (request) => listVisibleRequests(app, callerOf(request), request.query),
  )

  app.post(
    '/assignments/requests',
    {
      config: { ...accountRule('assignments:write'), errors: [404, 409] },
      schema: {
        operationId: operationId('requestAssignment'),
        tags: tags('Assignments'),
        summary: 'Ask the administrators for rights on a domain or on names of it',
        description:
          'For members; administrators have all rights (409). A domain is named by its name or id, also one that the caller does not see. 409 when they have the rights already, or a request for the same is open.',
        body: RequestBody,
        response: { 201: ref(AssignmentRequest) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const asked = await once(caller, () => askForAssignment(app, caller, request.body))
      return reply.code(201).header('location', `${base}/assignments/requests/${asked.id}`).send(asked)
    },
  )

  app.get(
    '/assignments/requests/:id',
    {
      config: { ...accountRule('assignments:read') },
      schema: {
        operationId: operationId('getAssignmentRequest'),
        tags: tags('Assignments'),
        summary: 'One request',
        description: 'For who asked and for administrators; for others it is 404.',
        params: IdParams,
        response: { 200: ref(AssignmentRequest) },
      },
    },
    (request) => readRequest(app, callerOf(request), request.params.id),
  )

  app.post(
    '/assignments/requests/:id/approve',
    {
      config: { ...adminRule('assignments:write'), errors: [409] },
      schema: {
        operationId: operationId('approveAssignmentRequest'),
        tags: tags('Assignments'),
        summary: 'Give what was asked for, or less; it replaces what the user had of the same names',
        description:
          'For administrators. Less than what was asked for may be given, more is 400. Of several who decide at the same time one does, the others get 409. Who asked is told.',
        params: IdParams,
        body: ApproveBody,
        response: { 200: ref(AssignmentRequest) },
      },
    },
    (request) => {
      const caller = callerOf(request)
      return once(caller, () => approveRequest(app, caller, request.params.id, request.body ?? {}))
    },
  )

  app.post(
    '/assignments/requests/:id/reject',
    {
      config: { ...adminRule('assignments:write'), errors: [409] },
      schema: {
        operationId: operationId('rejectAssignmentRequest'),
        tags: tags('Assignments'),
        summary: 'Refuse a request, with the reason',
        description:
          "For administrators. The reason is told to who asked. A request that is decided can't be decided again (409).",
        params: IdParams,
        body: RejectBody,
        response: { 200: ref(AssignmentRequest) },
      },
    },
    (request) => {
      const caller = callerOf(request)
      return once(caller, () => rejectRequest(app, caller, request.params.id, request.body.reason))
    },
  )

  app.post(
    '/assignments/requests/:id/cancel',
    {
      config: { ...accountRule('assignments:write'), errors: [409] },
      schema: {
        operationId: operationId('cancelAssignmentRequest'),
        tags: tags('Assignments'),
        summary: 'Take the own request back',
        description: 'For who asked, while nobody has decided (409).',
        params: IdParams,
        response: { 200: ref(AssignmentRequest) },
      },
    },
    (request) => {
      const caller = callerOf(request)
      return once(caller, () => cancelRequest(app, caller, request.params.id))
    },
  )
}
