import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { DnsRecord } from '../../../schemas/records/record.ts'
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
  app.get('/domains/:id/records', {
    config: { ...rule('records:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('listRecords'),
      tags: tags('Records'),
      summary: 'List the records of a domain',
      description:
        'Returns the records that the caller sees, as stored here; the DNS provider is not queried. `cursor` leads through all pages without gaps or duplicates, while `page` counts again with each call.',
      params: IdParams,
      querystring: ListQuery,
      response: { 200: RecordPage },
    },
    handler: (request) => listRecords(app.db, request.principal, request.params.id, request.query),
  })

  app.get('/domains/:id/records/:recordId', {
    config: { ...rule('records:read') },
    schema: {
      operationId: operationId('getRecord'),
      tags: tags('Records'),
      summary: 'Get a record',
      description:
        'The current record with its `version`, which an update may require; its `ETag` serves the same purpose. Records of names that the caller does not see are 404.',
      params: RecordParams,
      response: { 200: ref(DnsRecord) },
    },
    handler: async (request, reply) => {
      const { id, recordId } = request.params
      const record = await readRecord(app.db, request.principal, id, recordId)
      reply.header('etag', recordTag(record))
      return record
    },
  })

  app.get('/records/search', {
    config: { ...rule('records:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('searchRecords'),
      tags: tags('Records'),
      summary: 'Search records by name, value, address or network in all domains that the caller sees',
      description:
        'In partly visible domains, only the records that the caller sees. The DNS provider is not queried. `cursor` leads through all pages of the same search.',
      querystring: SearchQuery,
      response: { 200: SearchAnswer },
    },
    handler: (request) => searchRecords(app.db, request.principal, request.query),
  })

  app.get('/domains/:id/records/unmanaged', {
    config: { ...rule('records:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('listUnmanagedRecords'),
      tags: tags('Records'),
      summary: 'List records of unmanaged types',
      description:
        'Requires access to the domain; returns only what the caller can see. The records are as of the last sync, and are never changed here.',
      params: IdParams,
      querystring: UnmanagedQuery,
      response: { 200: UnmanagedPage },
    },
    handler: (request) => readUnmanaged(app.db, request.principal, request.params.id, request.query),
  })
}
