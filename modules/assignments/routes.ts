import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { once } from '../../plugins/http/idempotency/key.ts'
import { ref } from '../../schemas/ref.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { Assignment, AssignmentPage, CreateBody, ListQuery, UpdateBody } from './schemas.ts'
import {
  changeAssignment,
  createAssignment,
  listVisible,
  readAssignment,
  removeAssignment,
} from './service.ts'

export const routes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, tags, operationId } },
) => {
  app.get('/assignments', {
    config: { ...rule('assignments:read') },
    schema: {
      operationId: operationId('listAssignments'),
      tags: tags('Assignments'),
      summary:
        'Permissions, newest first: all for administrators, otherwise your own and those on your domains',
      description: 'Includes expired permissions for 90 days. All filters must match.',
      querystring: ListQuery,
      response: { 200: AssignmentPage },
    },
    handler: (request) => listVisible(app, callerOf(request), request.query),
  })

  app.post('/assignments', {
    config: { ...rule('assignments:write'), errors: [404, 409] },
    schema: {
      operationId: operationId('createAssignment'),
      tags: tags('Assignments'),
      summary: 'Grant a user permission on a domain or part of it',
      description:
        'For the domain owner and administrators. Name the user by `userId` or `username`; they are notified. 409 for the domain owner, and if the user already has a permission on the same names: update that one instead.',
      body: CreateBody,
      response: { 201: ref(Assignment) },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const assignment = await once(caller, () => createAssignment(app, caller, request.body))
      return reply.header('location', `${base}/assignments/${assignment.id}`).send(assignment)
    },
  })

  app.get('/assignments/:id', {
    config: { ...rule('assignments:read') },
    schema: {
      operationId: operationId('getAssignment'),
      tags: tags('Assignments'),
      summary: 'A permission',
      description: 'For the user it was granted to, the domain owner and administrators; 404 for others.',
      params: IdParams,
      response: { 200: ref(Assignment) },
    },
    handler: (request) => readAssignment(app, callerOf(request), request.params.id),
  })

  app.put('/assignments/:id', {
    config: { ifMatch: true, ...rule('assignments:write') },
    schema: {
      operationId: operationId('updateAssignment'),
      tags: tags('Assignments'),
      summary: 'Change the level, record types or end of a permission; omitted fields stay unchanged',
      description:
        "For the domain owner and administrators. Takes effect with the next request. User, domain and names can't be changed.",
      params: IdParams,
      body: UpdateBody,
      response: { 200: ref(Assignment) },
    },
    handler: (request) => changeAssignment(app, callerOf(request), request.params.id, request.body),
  })

  app.delete('/assignments/:id', {
    config: { ifMatch: true, ...rule('assignments:write') },
    schema: {
      operationId: operationId('deleteAssignment'),
      tags: tags('Assignments'),
      summary: 'Revoke a permission, or give up your own',
      description:
        'For the domain owner, administrators and the user it was granted to. Takes effect immediately. The user is notified, or the owner if users give up their own permission. Without another permission the user no longer sees the domain.',
      params: IdParams,
      response: { 204: Type.Null() },
    },
    handler: (request) => removeAssignment(app, callerOf(request), request.params.id),
  })
}
