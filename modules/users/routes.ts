import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import { once } from '../../plugins/http/idempotency/key.ts'
import { ref } from '../../schemas/ref.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { User } from '../../schemas/people/user.ts'
import {
  changeUser,
  createUser,
  endSessionsOf,
  listUsers,
  readUser,
  removeSecondFactors,
} from './administration.ts'
import { removeUser } from './deletion.ts'
import { CreateBody, DeleteQuery, ListQuery, UpdateBody, UserPage } from './schemas.ts'

const tags = ['Users']

export const userRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/users', {
    config: { access: 'admin' },
    schema: {
      operationId: 'listUsers',
      tags,
      summary: 'List accounts by user name',
      description: 'For administrators. `search` matches user names, email addresses and display names.',
      querystring: ListQuery,
      response: { 200: UserPage },
    },
    handler: (request) => listUsers(app, request.query),
  })

  app.post('/users', {
    config: { access: 'admin', errors: [409, 503] },
    schema: {
      operationId: 'createUser',
      tags,
      summary: 'Create an account',
      description:
        'For administrators. Without `password`, the user gets a link by email to choose one, which requires `email` and a mail server (503). A user name or address in use is 409, and `field` names it.',
      body: CreateBody,
      response: { 201: ref(User) },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const user = await once(caller, () => createUser(app, caller, request.body))
      return reply.header('location', `/api/users/${user.id}`).send(user)
    },
  })

  app.get('/users/:id', {
    config: { access: 'admin' },
    schema: {
      operationId: 'getUser',
      tags,
      summary: 'One account',
      description:
        'For administrators. Includes how the user signs in and the number of sessions, but no secrets.',
      params: IdParams,
      response: { 200: ref(User) },
    },
    handler: (request) => readUser(app, request.params.id),
  })

  app.put('/users/:id', {
    config: { ifMatch: true, access: 'admin', errors: [409, 503] },
    schema: {
      operationId: 'updateUser',
      tags,
      summary: 'Change role, address, display name, state or password; takes effect with the next request',
      description:
        "The last enabled administrator can't be demoted or disabled (409). A new address is unverified until its owner confirms it.",
      params: IdParams,
      body: UpdateBody,
      response: { 200: ref(User) },
    },
    handler: (request) => changeUser(app, callerOf(request), request.params.id, request.body),
  })

  app.delete('/users/:id', {
    config: { ifMatch: true, access: 'admin', errors: [409] },
    schema: {
      operationId: 'deleteUser',
      tags,
      summary: 'Delete an account and transfer what it owns',
      description:
        '409 for the last enabled administrator, and for a user who owns domains or provider connections if `transferTo` is missing; `owned` has their number.',
      params: IdParams,
      querystring: DeleteQuery,
      response: { 204: Type.Null() },
    },
    handler: (request) => removeUser(app, callerOf(request), request.params.id, request.query.transferTo),
  })

  app.delete('/users/:id/sessions', {
    config: { access: 'admin' },
    schema: {
      operationId: 'endUserSessions',
      tags,
      summary: 'End all sessions of a user',
      description:
        'For administrators. Takes effect with the next request, on every instance. The user can sign in again, and personal tokens stay valid.',
      params: IdParams,
      response: { 204: Type.Null() },
    },
    handler: (request) => endSessionsOf(app, callerOf(request), request.params.id),
  })

  app.delete('/users/:id/two-factor', {
    config: { access: 'admin' },
    schema: {
      operationId: 'removeUserSecondFactors',
      tags,
      summary: 'Remove all second factors and passkeys of a user, who is notified by email',
      description:
        'For administrators, if a user lost them. The password alone is then enough; recovery codes are removed, too.',
      params: IdParams,
      response: { 204: Type.Null() },
    },
    handler: (request) => removeSecondFactors(app, callerOf(request), request.params.id),
  })
}
