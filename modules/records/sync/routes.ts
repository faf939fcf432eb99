import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { UPSTREAM_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { importDomains } from './import/import-domains.ts'
import { ImportDomainsAnswer, ImportDomainsBody, SyncQuery, SyncResult } from './schemas.ts'
import { toSyncAnswer } from './sync-report.ts'
import { syncDomain } from './sync.ts'

const upstream = { rateLimit: { ...UPSTREAM_LIMIT, groupId: 'upstream' } }
const errors = [409, ...PROVIDER_ERRORS]

/** Routes that sync domains and import zones, under /api and /api/v1. */
export const syncRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, accountRule, tags, operationId } },
) => {
  app.post('/domains/:id/sync', {
    config: { ...rule('domains:write'), ...upstream, errors },
    schema: {
      operationId: operationId('syncDomain'),
      tags: tags('Domains'),
      summary: 'Sync the records with the DNS provider',
      description:
        'Brings the records here in line with the provider. Needs write permission for the whole domain, with `dryRun` read permission. A sync that would delete more than 30 % of a domain with 10 records or more is 409 `confirmation_required` with the differences, unless `force` is set. `putBack` does the opposite: a change writes the records here to the provider where it holds others, whatever the `driftPolicy` of the domain; it is confirmed in the same way if more than 30 % of the records differ. Only one sync of a domain at a time (409).',
      params: IdParams,
      querystring: SyncQuery,
      response: { 200: SyncResult },
    },
    handler: async (request) => {
      const { report, changeId } = await syncDomain(app, callerOf(request), request.params.id, request.query)
      return { ...toSyncAnswer(report), changeId }
    },
  })

  app.post('/domains/import', {
    config: {
      ...accountRule('domains:write'),
      ...upstream,
      entries: 'zones',
      errors: [404, ...PROVIDER_ERRORS],
    },
    schema: {
      operationId: operationId('importDomains'),
      tags: tags('Domains'),
      summary: 'Register several zones of a provider connection and import their records',
      description:
        'For the owner of the provider connection, and administrators. Each zone succeeds or fails on its own: the answer is 200 even if some fail. A domain whose records could not be read stays registered, with its `domainId` in the result.',
      body: ImportDomainsBody,
      response: { 200: ImportDomainsAnswer },
    },
    handler: (request) => importDomains(app, callerOf(request), request.body, request.id),
  })
}
