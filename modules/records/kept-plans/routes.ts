import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { IdParams, Timestamp, Uuid } from '../../../schemas/scalars.ts'
import { whereKept } from './service.ts'

const KeptPlanPlace = Type.Object({
  planId: Uuid,
  domainId: Uuid,
  domainName: Type.String({ examples: ['example.com'] }),
  planExpiresAt: Timestamp,
})

/** Where a kept plan belongs, for programs that know only its id: under /api and /api/v1. */
export const keptPlanRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get('/records/kept-plans/:id', {
    config: { ...rule('records:read'), untagged: true },
    schema: {
      operationId: operationId('getKeptPlan'),
      tags: tags('Records'),
      summary: 'Find the domain of a kept plan',
      description:
        "The caller's own plans, as kept by `planRecords`; with a token, those made with it. 404 once it has expired, and for a domain the caller no longer sees.",
      params: IdParams,
      response: { 200: KeptPlanPlace },
    },
    handler: (request) => whereKept(app.db, callerOf(request), request.params.id),
  })
}
