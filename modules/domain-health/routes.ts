import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { LOOKUP_LIMIT } from '../../plugins/security/rate-limit/rate-limit.ts'
import { ref } from '../../schemas/ref.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { Begun, DomainHealth, FindingPage, FindingsQuery } from './schemas.ts'
import { checkAll, checkHealth, listVisibleFindings, readHealth } from './service.ts'

/** Routes of the health of domains, under /api and /api/v1. */
export const routes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, accountRule, tags, operationId } },
) => {
  app.get('/domains/:id/health', {
    config: { ...rule('records:read'), errors: [404] },
    schema: {
      operationId: operationId('getDomainHealth'),
      tags: tags('Health'),
      summary: 'Get the findings of a domain',
      description:
        'As of the last check, which is made every night. A finding is visible to callers who see its name and type; what concerns the whole domain has the name `@`.',
      params: IdParams,
      response: { 200: ref(DomainHealth) },
    },
    handler: (request) => readHealth(app.db, callerOf(request), request.params.id),
  })

  app.post('/domains/:id/health/check', {
    config: { ...rule('records:read'), rateLimit: LOOKUP_LIMIT, concurrencyLimit: true, errors: [404] },
    schema: {
      operationId: operationId('checkDomainHealth'),
      tags: tags('Health'),
      summary: 'Check a domain now',
      description: 'Limited to 20 calls per minute.',
      params: IdParams,
      response: { 200: ref(DomainHealth) },
    },
    handler: (request) => checkHealth(app, callerOf(request), request.params.id),
  })

  app.get('/health-findings', {
    config: { ...accountRule('records:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('listHealthFindings'),
      tags: tags('Health'),
      summary: 'Findings of all domains, most severe first',
      description: 'Contains the findings whose name and type the caller sees.',
      querystring: FindingsQuery,
      response: { 200: FindingPage },
    },
    handler: (request) => listVisibleFindings(app, callerOf(request), request.query),
  })

  app.post('/health-findings/check', {
    config: { ...accountRule('records:read'), rateLimit: LOOKUP_LIMIT },
    schema: {
      operationId: operationId('checkAllHealth'),
      tags: tags('Health'),
      summary: 'Check all your domains soon',
      description:
        'For administrators all domains, otherwise those the caller owns. The checks are made in the background, some domains at a time.',
      response: { 202: Begun },
    },
    handler: (request) => checkAll(app, callerOf(request)),
  })
}
