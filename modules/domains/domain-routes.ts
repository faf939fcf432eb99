import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { Domain } from '../../schemas/domain.ts'
import { ref } from '../../schemas/ref.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { listDomains } from './list.ts'
import { DomainPage, ListQuery } from './schemas.ts'
import { readDomain } from './service.ts'

/** Routes that read domains, under /api and /api/v1. */
export const domainRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get('', {
    config: { ...rule('domains:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('listDomains'),
      tags: tags('Domains'),
      summary: 'Domains visible to the caller',
      description:
        'For members, their own domains and those they have permissions on; for administrators, all. All filters must match. Record counts include only visible records.',
      querystring: ListQuery,
      response: { 200: DomainPage },
    },
    handler: (request) => listDomains(app.db, request.principal, request.query),
  })

  app.get('/:id', {
    config: { ...rule('domains:read') },
    schema: {
      operationId: operationId('getDomain'),
      tags: tags('Domains'),
      summary: 'A domain',
      description:
        "For the owner, delegates and administrators; 404 for others. `access` is the caller's permission.",
      params: IdParams,
      response: { 200: ref(Domain) },
    },
    handler: (request) => readDomain(app, callerOf(request), request.params.id),
  })
}
