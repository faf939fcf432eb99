import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../../plugins/security/access/index.ts'
import type { Audience } from '../../../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../../../plugins/openapi/openapi.ts'
import { IdParams } from '../../../../schemas/scalars.ts'
import { RegistrationList } from '../schemas.ts'
import { endRegistration, listRegistrations } from './service.ts'

/** The caller's acme-dns registrations, under /api and /api/v1. */
export const registrationRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get('/acme/registrations', {
    config: rule('acme:challenge'),
    schema: {
      operationId: operationId('listAcmeRegistrations'),
      tags: tags('ACME'),
      summary: 'List your acme-dns registrations',
      description: 'Passwords are not included. A token sees only the registrations it created.',
      response: { 200: RegistrationList },
    },
    handler: (request) => listRegistrations(app, callerOf(request)),
  })

  app.delete('/acme/registrations/:id', {
    config: { ...rule('acme:challenge'), errors: [409, ...PROVIDER_ERRORS] },
    schema: {
      operationId: operationId('endAcmeRegistration'),
      tags: tags('ACME'),
      summary: 'Delete a registration and its TXT records',
      description:
        'The credentials are no longer valid afterwards, even if the DNS provider fails to delete the records; the answer then says so. A token deletes only registrations it created.',
      params: IdParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      await endRegistration(app, callerOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  })
}
