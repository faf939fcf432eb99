import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import { forbidden } from '../../../../plugins/http/errors.ts'
import { callerOf } from '../../../../plugins/security/access/index.ts'
import { IdParams } from '../../../../schemas/scalars.ts'
import { CreateKeyBody, KeyList, NewKey } from './schemas.ts'
import { createKey, endKey, listKeys, type TokenCaller } from './service.ts'

const tags = ['Open API', 'Personal tokens']

const WHOSE = "Every personal token can call this for itself; access tokens can't (403)."

/** The TSIG keys of the token in use; under /api/v1. */
export const keyRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get('/token/tsig-keys', {
    config: { access: 'api', permission: null },
    schema: {
      operationId: 'v1ListTsigKeys',
      tags,
      summary: 'List the TSIG keys of the token in use',
      description: `The secrets are never returned again. ${WHOSE}`,
      response: { 200: KeyList },
    },
    handler: (request) => listKeys(app, byToken(request)),
  })

  app.post('/token/tsig-keys', {
    config: { access: 'api', permission: null, errors: [409], secretAnswer: true },
    schema: {
      operationId: 'v1CreateTsigKey',
      tags,
      summary: 'Create a TSIG key for DNS updates; its secret is returned only once',
      description: `Messages signed with it (RFC 2136, RFC 8945) have the permissions and restrictions of the token, and the key ends with the token; the successor of a replaced token keeps it. A token can have 20 (409). ${WHOSE}`,
      body: CreateKeyBody,
      response: { 201: NewKey },
    },
    handler: async (request, reply) => {
      const key = await createKey(app, byToken(request), request.body?.algorithm ?? 'hmac-sha256')
      return reply.header('location', `/api/v1/token/tsig-keys/${key.id}`).send(key)
    },
  })

  app.delete('/token/tsig-keys/:id', {
    config: { access: 'api', permission: null },
    schema: {
      operationId: 'v1DeleteTsigKey',
      tags,
      summary: 'Delete a TSIG key of the token in use',
      description: `Messages signed with it are refused from now on, on every instance. A key of another token is 404. ${WHOSE}`,
      params: IdParams,
      response: { 204: Type.Null() },
    },
    handler: (request) => endKey(app, byToken(request), request.params.id),
  })
}

function byToken(request: FastifyRequest): TokenCaller {
  const caller = callerOf(request)
  if (caller.token !== null) return caller as TokenCaller
  throw forbidden('This is about the personal token of the request, and this request has none')
}
