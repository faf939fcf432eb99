import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { DnsRecord } from '../../../schemas/record.ts'
import { ref } from '../../../schemas/ref.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { listRecords, readRecord, readUnmanaged, recordTag } from './list.ts'
import { RecordParams } from '../schemas.ts'
import { ListQuery, RecordPage, SearchAnswer, SearchQuery, UnmanagedPage, UnmanagedQuery } from './schemas.ts'
import { searchRecords } from './search.ts'

/** Routes that list, read and search records, under /api and /api/v1. */
export const listRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get(
    '/domains/:id/records',
    {
      config: { ...rule('records:read'), concurrencyLimit: true },
      schema: {
        operationId: operationId('listRecords'),
        tags: tags('Records'),
        summary: 'The records of a domain',
        description:
          'Those that the caller sees, as they are stored here: no DNS host is asked. `cursor` leads through all pages without skips or repeats, while `page` counts anew with each call.',
        params: IdParams,
        querystring: ListQuery,
        response: { 200: RecordPage },
      },
    },
    (request) => listRecords(app.db, request.principal, request.params.id, request.query),
  )

  app.get(
    '/domains/:id/records/:recordId',
    {
      config: { ...rule('records:read') },
      schema: {
        operationId: operationId('getRecord'),
        tags: tags('Records'),
        summary: 'One record',
        description:
          'The record as it is now, with the `version` that a change of it may name; its `ETag` does for that, too. 404 also for a record of a name that the caller does not see.',
        params: RecordParams,
        response: { 200: ref(DnsRecord) },
      },
    },
    async (request, reply) => {
      const { id, recordId } = request.params
      const record = await readRecord(app.db, request.principal, id, recordId)
      reply.header('etag', recordTag(record))
      return record
    },
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

  app.get(
    '/domains/:id/records/unmanaged',
    {
      config: { ...rule('records:read'), concurrencyLimit: true },
      schema: {
        operationId: operationId('listUnmanagedRecords'),
        tags: tags('Records'),
        summary: 'Records of types that are not managed here, as the last sync saw them',
        description:
          'For everybody who sees the domain, of the names that they see. They are never touched, and are as old as the last sync.',
        params: IdParams,
        querystring: UnmanagedQuery,
        response: { 200: UnmanagedPage },
      },
    },
    (request) => readUnmanaged(app.db, request.principal, request.params.id, request.query),
  )
}
