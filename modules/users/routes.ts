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
  app.get(
    '/users',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'listUsers',
        tags,
        summary: 'All accounts, by user name',
        description:
          'For administrators. `search` looks into user names, e-mail addresses and display names.',
        querystring: ListQuery,
        response: { 200: UserPage },
      },
    },
    (request) => listUsers(app, request.query),
  )

  app.post(
    '/users',
    {
      config: { access: 'admin', errors: [409, 503] },
      schema: {
        operationId: 'createUser',
        tags,
        summary: 'Make an account',
        description:
          'For administrators. Without `password` the user gets a link by e-mail to choose one, which needs `email` and a mail server (503). A user name or address that is taken is 409, and `field` says which.',
        body: CreateBody,
        response: { 201: ref(User) },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const user = await once(caller, () => createUser(app, caller, request.body))
      return reply.code(201).header('location', `/api/users/${user.id}`).send(user)
    },
  )

  app.get(
    '/users/:id',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'getUser',
        tags,
        summary: 'One account',
        description:
          'For administrators. Says how the user signs in and how many sessions there are, and shows no secret.',
        params: IdParams,
        response: { 200: ref(User) },
      },
    },
    (request) => readUser(app, request.params.id),
  )

  app.put(
    '/users/:id',
    {
      config: { ifMatch: true, access: 'admin', errors: [409, 503] },
      schema: {
        operationId: 'updateUser',
        tags,
        summary: 'Change role, address, display name, state or password; in force on the next request',
        description:
          'The last enabled administrator can be neither demoted nor disabled (409). A new address counts as unverified until its holder confirms it.',
        params: IdParams,
        body: UpdateBody,
        response: { 200: ref(User) },
      },
    },
    (request) => changeUser(app, callerOf(request), request.params.id, request.body),
  )

  app.delete(
    '/users/:id',
    {
      config: { ifMatch: true, access: 'admin', errors: [409] },
      schema: {
        operationId: 'deleteUser',
        tags,
        summary: 'Delete an account, and hand over what it owns',
        description:
          '409 for the last enabled administrator, and for a user who owns domains or provider configurations while `transferTo` is missing; then `owned` says how many.',
        params: IdParams,
        querystring: DeleteQuery,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeUser(app, callerOf(request), request.params.id, request.query.transferTo)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/users/:id/sessions',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'endUserSessions',
        tags,
        summary: 'Sign a user out everywhere',
        description:
          'For administrators. In force on the next request, on every instance; the user may sign in again, and personal tokens go on.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await endSessionsOf(app, callerOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.delete(
    '/users/:id/two-factor',
    {
      config: { access: 'admin' },
      schema: {
        operationId: 'removeUserSecondFactors',
        tags,
        summary: 'Remove every second factor and passkey of a user who lost them; tells the user by e-mail',
        description:
          'For administrators, when somebody lost what they sign in with. The password alone is enough afterwards; the recovery codes go, too.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await removeSecondFactors(app, callerOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
