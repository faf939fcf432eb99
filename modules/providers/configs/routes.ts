import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { once } from '../../../plugins/http/idempotency/key.ts'
import { UPSTREAM_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { CreateConfigBody, ProviderConfig, TestReport, UpdateConfigBody } from './schemas.ts'
import {
  createProviderConfig,
  deleteProviderConfig,
  testProviderConfig,
  tryProviderConfig,
  updateProviderConfig,
} from './service.ts'

const tags = ['DNS providers']

/** Changing and trying configurations: for who is signed in. */
export const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.post(
    '/provider-configs',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'createProviderConfig',
        tags,
        summary: 'Connect an account at a DNS host',
        description:
          'It belongs to the caller, or to `ownerId`, which administrators may give. The credentials are stored encrypted and are checked by their form alone: try them with `POST /api/provider-configs/{id}/test`.',
        body: CreateConfigBody,
        response: { 201: ProviderConfig },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const config = await once(caller, () => createProviderConfig(app, caller, request.body))
      return reply.code(201).header('location', `/api/provider-configs/${config.id}`).send(config)
    },
  )

  app.post(
    '/provider-configs/test',
    {
      config: {
        access: 'user',
        rateLimit: { ...UPSTREAM_LIMIT, groupId: 'upstream' },
        secretAnswer: true,
      },
      schema: {
        operationId: 'tryProviderConfig',
        tags,
        summary: 'Try credentials before they are stored',
        description:
          'Takes the body of `createProviderConfig`, calls the DNS host with it, and says in words what came of that. Nothing is stored.',
        body: CreateConfigBody,
        response: { 200: TestReport },
      },
    },
    (request) => tryProviderConfig(app, callerOf(request), request.body),
  )

  app.put(
    '/provider-configs/:id',
    {
      config: { ifMatch: true, access: 'user' },
      schema: {
        operationId: 'updateProviderConfig',
        tags,
        summary: 'Rename, or change credentials; missing and empty fields stay',
        description:
          "For its owner and administrators. Credentials that come back masked stay, too; but when an address changes, what is secret must be given again (400). The kind of host can't change; what is new counts from the next call to the host.",
        params: IdParams,
        body: UpdateConfigBody,
        response: { 200: ProviderConfig },
      },
    },
    (request) => updateProviderConfig(app, callerOf(request), request.params.id, request.body),
  )

  app.delete(
    '/provider-configs/:id',
    {
      config: { ifMatch: true, access: 'user', errors: [409] },
      schema: {
        operationId: 'deleteProviderConfig',
        tags,
        summary: 'Delete a configuration that no domain uses',
        description:
          'For its owner and administrators. Nothing changes at the DNS host. 409 as long as a domain uses it.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await deleteProviderConfig(app, callerOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/provider-configs/:id/test',
    {
      config: { access: 'user', rateLimit: { ...UPSTREAM_LIMIT, groupId: 'upstream' } },
      schema: {
        operationId: 'testProviderConfig',
        tags,
        summary: 'Try the credentials now',
        description:
          'For its owner and administrators. Answers 200 with `success` and, when it failed, why; nothing is stored. Limited to 60 calls a minute together with other calls to DNS hosts.',
        params: IdParams,
        response: { 200: TestReport },
      },
    },
    (request) => testProviderConfig(app, callerOf(request), request.params.id),
  )
}
