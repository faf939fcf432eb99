import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../plugins/openapi/openapi.ts'
import { IdParams } from '../../schemas/scalars.ts'
import type { RecordContext } from './apply/apply.ts'
import { BulkAnswer, BulkBody, MAX_RECORDS_BYTES, SearchAnswer, SearchQuery } from './schemas.ts'
import { searchRecords } from './list/search.ts'
import { createMany } from './apply/records.ts'

/** Bulk creation and search: under /api and under /api/v1. */
export const routes: FastifyPluginAsyncTypebox<{ context: RecordContext; audience: Audience }> = async (
  app,
  { context, audience: { rule, tags, operationId } },
) => {
  app.post(
    '/domains/:id/records/bulk',
    {
      config: { ...rule('records:write'), entries: 'records', errors: [409, ...PROVIDER_ERRORS] },
      bodyLimit: MAX_RECORDS_BYTES,
      schema: {
        operationId: operationId('createRecords'),
        tags: tags('Records'),
        summary: 'Create up to 100 records; each entry succeeds or fails on its own',
        description:
          'Needs the right to write in the domain. The answer is 200 also when entries fail: `results` has one for each, in their order, with `error` where it failed.',
        params: IdParams,
        body: BulkBody,
        response: { 200: BulkAnswer },
      },
    },
    (request) => createMany(context, callerOf(request), request.params.id, request.body.records),
  )

  app.get(
    '/records/search',
    {
      config: { ...rule('records:read'), concurrencyLimit: true },
      schema: {
        operationId: operationId('searchRecords'),
        tags: tags('Records'),
        summary: 'Find records by name, value, address or network over all domains that the caller sees',
        description:
          'Of parts of domains only the records that the caller sees. No DNS provider is asked. `cursor` leads through all pages of the same search.',
        querystring: SearchQuery,
        response: { 200: SearchAnswer },
      },
    },
    (request) => searchRecords(app.db, request.principal, request.query),
  )
}
