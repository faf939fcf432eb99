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
  app.get(
    '/assignments',
    {
      config: { ...rule('assignments:read') },
      schema: {
        operationId: operationId('listAssignments'),
        tags: tags('Assignments'),
        summary: 'Assignments, newest first: all for administrators, else the own and those of own domains',
        description: 'Also those that have ended, for 90 days. Filters add up.',
        querystring: ListQuery,
        response: { 200: AssignmentPage },
      },
    },
    (request) => listVisible(app, callerOf(request), request.query),
  )

  app.post(
    '/assignments',
    {
      config: { ...rule('assignments:write'), errors: [404, 409] },
      schema: {
        operationId: operationId('createAssignment'),
        tags: tags('Assignments'),
        summary: 'Give a user rights on a domain or on names of it; for administrators and the owner',
        description:
          'The user is named by `userId` or `username`, and is told. 409 for the owner of the domain, and when the user has an assignment of the same names: change that one.',
        body: CreateBody,
        response: { 201: ref(Assignment) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const assignment = await once(caller, () => createAssignment(app, caller, request.body))
      return reply.code(201).header('location', `${base}/assignments/${assignment.id}`).send(assignment)
    },
  )

  app.get(
    '/assignments/:id',
    {
      config: { ...rule('assignments:read') },
      schema: {
        operationId: operationId('getAssignment'),
        tags: tags('Assignments'),
        summary: 'One assignment',
        description:
          'For who has it, for the owner of the domain and for administrators; for others it is 404.',
        params: IdParams,
        response: { 200: ref(Assignment) },
      },
    },
    (request) => readAssignment(app, callerOf(request), request.params.id),
  )

  app.put(
    '/assignments/:id',
    {
      config: { ifMatch: true, ...rule('assignments:write') },
      schema: {
        operationId: operationId('updateAssignment'),
        tags: tags('Assignments'),
        summary: 'Change permission, record types or end; what is missing stays',
        description:
          "For the owner of the domain and administrators; in force on the next request. User, domain and names can't change.",
        params: IdParams,
        body: UpdateBody,
        response: { 200: ref(Assignment) },
      },
    },
    (request) => changeAssignment(app, callerOf(request), request.params.id, request.body),
  )

  app.delete(
    '/assignments/:id',
    {
      config: { ifMatch: true, ...rule('assignments:write') },
      schema: {
        operationId: operationId('deleteAssignment'),
        tags: tags('Assignments'),
        summary: 'Take the rights back, or give the own ones up, at once',
        description:
          'For the owner of the domain, administrators, and the user who has it. The user, or where they leave themselves the owner, is notified; the user no longer sees the domain unless by other rights.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeAssignment(app, callerOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
