import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../../plugins/security/access/index.ts'
import type { Audience } from '../../../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../../../plugins/openapi/openapi.ts'
import { IdParams } from '../../../../schemas/scalars.ts'
import { RegistrationList } from '../schemas.ts'
import { endRegistration, listRegistrations } from './service.ts'

/** The own registrations of acme-dns' clients: under /api and under /api/v1. */
export const registrationRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get(
    '/acme/registrations',
    {
      config: rule('acme:challenge'),
      schema: {
        operationId: operationId('listAcmeRegistrations'),
        tags: tags('ACME'),
        summary: 'The own registrations for clients of acme-dns',
        description: 'Without their passwords. A token sees those that were made by it.',
        response: { 200: RegistrationList },
      },
    },
    (request) => listRegistrations(app, callerOf(request)),
  )

  app.delete(
    '/acme/registrations/:id',
    {
      config: { ...rule('acme:challenge'), errors: [409, ...PROVIDER_ERRORS] },
      schema: {
        operationId: operationId('endAcmeRegistration'),
        tags: tags('ACME'),
        summary: 'End a registration, and delete its TXT records',
        description:
          'Its credentials count no more from then on, also when the DNS host fails to delete the records, which the answer says. A token ends those that were made by it.',
        params: IdParams,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      await endRegistration(app, callerOf(request), request.params.id)
      return reply.code(204).send(null)
    },
  )
}
