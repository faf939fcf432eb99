import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../plugins/openapi/openapi.ts'
import { once } from '../../plugins/http/idempotency/key.ts'
import { ref } from '../../schemas/ref.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { MAX_RECORDS_BYTES, type ChangeBody } from '../records/service.ts'
import { applyNow, approveRequest, rejectRequest, withdrawRequest } from './decisions.ts'
import {
  ApproveBody,
  ChangeRequest,
  ChangeRequestPage,
  CommentBody,
  DomainRequestsQuery,
  EditBody,
  OpenBody,
  RejectBody,
  RequestsQuery,
} from './schemas.ts'
import {
  commentOnRequest,
  editRequest,
  listRequestsOfDomain,
  listVisibleRequests,
  openRequest,
  readRequest,
} from './service.ts'

/** Routes of change requests, under /api and /api/v1. */
export const routes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, accountRule, tags, operationId } },
) => {
  const errors = [404, 409]

  app.get('/change-requests', {
    config: { ...accountRule('records:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('listChangeRequests'),
      tags: tags('Change requests'),
      summary: 'Change requests of all domains, newest first',
      description:
        'Contains the requests whose names and types the caller sees in full. `canApprove` returns those that wait for the caller.',
      querystring: RequestsQuery,
      response: { 200: ChangeRequestPage },
    },
    handler: (request) => listVisibleRequests(app, callerOf(request), request.query),
  })

  app.get('/domains/:id/change-requests', {
    config: { ...rule('records:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('listChangeRequestsOfDomain'),
      tags: tags('Change requests'),
      summary: 'Change requests of a domain, newest first',
      description: 'Contains the requests whose names and types the caller sees in full.',
      params: IdParams,
      querystring: DomainRequestsQuery,
      response: { 200: ChangeRequestPage },
    },
    handler: (request) => listRequestsOfDomain(app, callerOf(request), request.params.id, request.query),
  })

  app.post('/domains/:id/change-requests', {
    config: { ...rule('records:write'), errors: [...errors, ...PROVIDER_ERRORS] },
    bodyLimit: MAX_RECORDS_BYTES,
    schema: {
      operationId: operationId('openChangeRequest'),
      tags: tags('Change requests'),
      summary: 'Request a change of records',
      description:
        'For users who see the names, with or without write permission. Plans the `changes`, or takes a kept plan by its `planId`; nothing changes at the DNS provider. Changes that cannot be done are 409 with all `conflicts`. Those who may approve the request are notified. With `applyAt`, an approved request is applied at that time.',
      params: IdParams,
      body: OpenBody,
      response: { 201: ref(ChangeRequest) },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { changes, ...body } = request.body
      const wanted = { ...body, ...(changes && { changes: changes as ChangeBody[] }) }
      const opened = await once(caller, () => openRequest(app, caller, request.params.id, wanted))
      return reply.header('location', `${base}/change-requests/${opened.id}`).send(opened)
    },
  })

  app.get('/change-requests/:id', {
    config: { ...rule('records:read') },
    schema: {
      operationId: operationId('getChangeRequest'),
      tags: tags('Change requests'),
      summary: 'Get a change request, with its plan and timeline',
      description: '404 for callers who do not see every name and type that it touches.',
      params: IdParams,
      response: { 200: ref(ChangeRequest) },
    },
    handler: (request) => readRequest(app.db, callerOf(request), request.params.id),
  })

  app.put('/change-requests/:id', {
    config: { ifMatch: true, ...rule('records:write'), errors: [...errors, ...PROVIDER_ERRORS] },
    bodyLimit: MAX_RECORDS_BYTES,
    schema: {
      operationId: operationId('editChangeRequest'),
      tags: tags('Change requests'),
      summary: 'Edit a change request, or plan it again',
      description:
        'For its author; once it is `outdated` or has failed, also for users who may write all of it. Without `changes` and `planId`, its changes are planned again as the records are now. Raises the `revision`, which needs a new approval.',
      params: IdParams,
      body: EditBody,
      response: { 200: ref(ChangeRequest) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      const { changes, ...body } = request.body
      const wanted = { ...body, ...(changes && { changes: changes as ChangeBody[] }) }
      return once(caller, () => editRequest(app, caller, request.params.id, wanted))
    },
  })

  app.post('/change-requests/:id/approve', {
    config: { ...rule('changes:review'), errors: [...errors, ...PROVIDER_ERRORS] },
    schema: {
      operationId: operationId('approveChangeRequest'),
      tags: tags('Change requests'),
      summary: 'Approve a change request and apply it, at once or at its time',
      description:
        'For another person than its author, with write permission for everything it touches; this holds for administrators and the owner, too. Applies exactly the plan of the `revision`, or nothing: if records have changed since, the answer has the status `outdated`. `approved` means that it waits for `applyAt`, or that the outcome is not known yet. 409 `missed_time` if `applyAt` has passed.',
      params: IdParams,
      body: ApproveBody,
      response: { 200: ref(ChangeRequest) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return approveRequest(app, caller, request.params.id, request.body)
    },
  })

  app.post('/change-requests/:id/reject', {
    config: { ...rule('changes:review'), errors },
    schema: {
      operationId: operationId('rejectChangeRequest'),
      tags: tags('Change requests'),
      summary: 'Reject a change request with a reason',
      description:
        'For those who may approve it, also while an approved request waits for `applyAt`. The author is notified.',
      params: IdParams,
      body: RejectBody,
      response: { 200: ref(ChangeRequest) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return once(caller, () => rejectRequest(app, caller, request.params.id, request.body.reason))
    },
  })

  app.post('/change-requests/:id/withdraw', {
    config: { ...rule('records:write'), errors },
    schema: {
      operationId: operationId('withdrawChangeRequest'),
      tags: tags('Change requests'),
      summary: 'Withdraw your own change request',
      description: 'For its author, while it is `open` or `outdated`, or `approved` and waits for `applyAt`.',
      params: IdParams,
      response: { 200: ref(ChangeRequest) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return once(caller, () => withdrawRequest(app, caller, request.params.id))
    },
  })

  app.post('/change-requests/:id/apply', {
    config: { ...rule('changes:apply'), errors: [...errors, ...PROVIDER_ERRORS] },
    schema: {
      operationId: operationId('applyChangeRequest'),
      tags: tags('Change requests'),
      summary: 'Apply an approved change request now instead of at its time',
      description:
        'For callers with write permission for everything it touches, while an approved request waits for `applyAt`. Applies exactly the plan that was approved, or nothing, with the permissions of its approver.',
      params: IdParams,
      response: { 200: ref(ChangeRequest) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return applyNow(app, caller, request.params.id)
    },
  })

  app.post('/change-requests/:id/comments', {
    config: { ...rule('records:read'), errors },
    schema: {
      operationId: operationId('commentOnChangeRequest'),
      tags: tags('Change requests'),
      summary: 'Comment on a change request',
      description: 'For everyone with access to it.',
      params: IdParams,
      body: CommentBody,
      response: { 200: ref(ChangeRequest) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return once(caller, () => commentOnRequest(app, caller, request.params.id, request.body.text))
    },
  })
}
