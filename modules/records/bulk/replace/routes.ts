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

/** Replacing values over many domains: under /api and under /api/v1. */
export const replaceRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, tags, operationId } },
) => {
  app.post(
    '/replace',
    {
      config: { ...rule('records:write'), concurrencyLimit: true },
      bodyLimit: MAX_RECORDS_BYTES,
      schema: {
        operationId: operationId('planReplacement'),
        tags: tags('Records'),
        summary: 'What replacing a value or the addresses of a network would do, over many domains',
        description:
          "Only plans, over all domains that the caller sees: what would change in each, and in `blocked` what can't be changed and why. `POST /api/records/replace/apply` does exactly this within the hour. Of plans that are not applied the newest ten are kept.",
        body: ReplaceBody,
        response: { 200: ref(DomainsPlanAnswer) },
      },
    },
    (request) => planReplacement(app, callerOf(request), request.body),
  )

  app.post(
    '/replace/apply',
    {
      config: { ...rule('records:write'), errors: [404, 409] },
      schema: {
        operationId: operationId('applyReplacement'),
        tags: tags('Records'),
        summary: 'Do what a replacement has planned, as an operation',
        description:
          'For who planned it, by the same token if by one; each plan once (409). Each domain is one change, which can be reverted by itself; what one refuses keeps no other from being done. A domain that was changed after the plan is left as it is. The plan says what became of each domain.',
        body: PlanIdBody,
        response: { 202: AcceptedOperation },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const apply = () => beginDomainsPlan(app, caller, 'replace', request.body.planId)
      return orAccepted(reply, base, await once(caller, apply))
    },
  )

  app.get(
    '/plans/:id',
    {
      config: { ...rule('records:read'), concurrencyLimit: true },
      schema: {
        operationId: operationId('getDomainsPlan'),
        tags: tags('Records'),
        summary: 'A plan over many domains, and what became of it',
        description:
          "The caller's own; by a token those that it made. Kept for an hour, and for 30 days once it was applied. Domains that the caller does not see any more are left out.",
        params: IdParams,
        querystring: PlanQuery,
        response: { 200: ref(DomainsPlanAnswer) },
      },
    },
    (request) => readDomainsPlan(app.db, callerOf(request), request.params.id, request.query),
  )
}
