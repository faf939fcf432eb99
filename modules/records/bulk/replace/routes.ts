import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../../plugins/security/access/index.ts'
import { once } from '../../../../plugins/http/idempotency/key.ts'
import type { Audience } from '../../../../plugins/openapi/audience.ts'
import { AcceptedOperation } from '../../../../schemas/operation.ts'
import { ref } from '../../../../schemas/ref.ts'
import { IdParams } from '../../../../schemas/scalars.ts'
import { orAccepted } from '../../../operations/contract.ts'
import { beginDomainsPlan, readDomainsPlan } from '../kept.ts'
import { DomainsPlanAnswer, PlanIdBody, PlanQuery } from '../schemas.ts'
import { MAX_RECORDS_BYTES } from '../../schemas.ts'
import { ReplaceBody } from './schemas.ts'
import { planReplacement } from './service.ts'

/** Routes that replace values in many domains, under /api and /api/v1. */
export const replaceRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, tags, operationId } },
) => {
  app.post('/replace', {
    config: { ...rule('records:write'), concurrencyLimit: true },
    bodyLimit: MAX_RECORDS_BYTES,
    schema: {
      operationId: operationId('planReplacement'),
      tags: tags('Records'),
      summary: 'Plan to replace a value, or the addresses of a network, in many domains',
      description:
        'Plans for all domains that the caller sees: the changes of each, and in `blocked` the records that cannot be changed, with the reason. `POST /api/records/replace/apply` applies the plan within an hour. Of plans that are not applied, the newest ten are kept.',
      body: ReplaceBody,
      response: { 200: ref(DomainsPlanAnswer) },
    },
    handler: (request) => planReplacement(app, callerOf(request), request.body),
  })

  app.post('/replace/apply', {
    config: { ...rule('records:write'), errors: [404, 409] },
    schema: {
      operationId: operationId('applyReplacement'),
      tags: tags('Records'),
      summary: 'Apply a planned replacement as an operation',
      description:
        'For the user who planned it, with the same token if they used one; once (409). Each domain gets a separate change, which can be reverted separately, and domains do not depend on each other. A domain that was changed after the plan is left unchanged. The plan shows the outcome of each domain.',
      body: PlanIdBody,
      response: { 202: AcceptedOperation },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const { planId, ...later } = request.body
      const apply = () => beginDomainsPlan(app, caller, 'replace', planId, later)
      return orAccepted(reply, base, await once(caller, apply))
    },
  })

  app.get('/plans/:id', {
    config: { ...rule('records:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('getDomainsPlan'),
      tags: tags('Records'),
      summary: 'Get a plan over many domains, and its outcome',
      description:
        "The caller's own plans; with a token, those made with it. Kept for an hour, and for 30 days once applied. Domains that the caller no longer sees are left out.",
      params: IdParams,
      querystring: PlanQuery,
      response: { 200: ref(DomainsPlanAnswer) },
    },
    handler: (request) => readDomainsPlan(app.db, callerOf(request), request.params.id, request.query),
  })
}
