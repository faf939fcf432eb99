import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { Domain } from '../../schemas/domain.ts'
import { ref } from '../../schemas/ref.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { listDomains } from './list.ts'
import { DomainPage, ListQuery } from './schemas.ts'
import { readDomain } from './service.ts'

/** Reading domains: under /api and under /api/v1. */
export const domainRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get(
    '',
    {
      config: { ...rule('domains:read'), concurrencyLimit: true },
      schema: {
        operationId: operationId('listDomains'),
        tags: tags('Domains'),
        summary: 'The domains that the caller sees',
        description:
          "A member's own domains and those of which they have a part, an administrator's all. Filters add up; counts of records are of what the caller sees.",
        querystring: ListQuery,
        response: { 200: DomainPage },
      },
    },
    (request) => listDomains(app.db, request.principal, request.query),
  )

  app.get(
    '/:id',
    {
      config: { ...rule('domains:read') },
      schema: {
        operationId: operationId('getDomain'),
        tags: tags('Domains'),
        summary: 'One domain',
        description:
          'For who owns the domain or has a part of it, and for administrators; for others it is 404. `access` says what the caller may do.',
        params: IdParams,
        response: { 200: ref(Domain) },
      },
    },
    (request) => readDomain(app, callerOf(request), request.params.id),
  )
}
