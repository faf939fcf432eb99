import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../plugins/access/index.ts'
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

const tags = ['Assignments']

export const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/assignments',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'listAssignments',
        tags,
        summary: 'Assignments, newest first: all for administrators, else the own and those of own domains',
        querystring: ListQuery,
        response: { 200: AssignmentPage },
      },
    },
    (request) => listVisible(app, callerOf(request), request.query),
  )

  app.post(
    '/assignments',
    {
      config: { access: 'user', errors: [404, 409] },
      schema: {
        operationId: 'createAssignment',
        tags,
        summary: 'Give a user rights on a domain or on names of it; for administrators and the owner',
        body: CreateBody,
        response: { 201: ref(Assignment) },
      },
    },
    async (request, reply) => {
      const assignment = await createAssignment(app, callerOf(request), request.body)
      return reply.code(201).header('location', `/api/assignments/${assignment.id}`).send(assignment)
    },
  )

  app.get(
    '/assignments/:id',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'getAssignment',
        tags,
        summary: 'One assignment',
        params: IdParams,
        response: { 200: ref(Assignment) },
      },
    },
    (request) => readAssignment(app, callerOf(request), request.params.id),
  )

  app.put(
    '/assignments/:id',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'updateAssignment',
        tags,
        summary: 'Change permission, record types or end; what is missing stays',
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
      config: { access: 'user' },
      schema: {
        operationId: 'deleteAssignment',
        tags,
        summary: 'Take the rights back, at once',
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
