import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../plugins/access/index.ts'
import { PROVIDER_ERRORS } from '../../plugins/openapi.ts'
import { ref } from '../../schemas/ref.ts'
import { IdParams } from '../../schemas/scalars.ts'
import type { RecordContext } from './apply.ts'
import { listRecords } from './list.ts'
import {
  BulkAnswer,
  BulkBody,
  CreateBody,
  IfMatchHeaders,
  ListQuery,
  RecordAnswer,
  RecordPage,
  RecordParams,
  SearchAnswer,
  SearchQuery,
  UpdateBody,
} from './schemas.ts'
import { searchRecords } from './search.ts'
import { createMany, createRecord, deleteRecord, updateRecord, wantedVersion } from './service.ts'

const tags = ['Records']

/** Single records, bulk creation, lists and search. */
export const routes: FastifyPluginAsyncTypebox<{ context: RecordContext }> = async (app, { context }) => {
  app.get(
    '/domains/:id/records',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'listRecords',
        tags,
        summary: 'The records of a domain',
        params: IdParams,
        querystring: ListQuery,
        response: { 200: RecordPage },
      },
    },
    (request) => listRecords(app.db, request.principal, request.params.id, request.query),
  )

  app.post(
    '/domains/:id/records',
    {
      config: { access: 'user', errors: [409, ...PROVIDER_ERRORS] },
      schema: {
        operationId: 'createRecord',
        tags,
        summary: 'Create a record at the provider',
        params: IdParams,
        body: CreateBody,
        response: { 201: ref(RecordAnswer) },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const record = await createRecord(context, callerOf(request), id, request.body)
      return reply.code(201).header('location', `/api/domains/${id}/records/${record.id}`).send(record)
    },
  )

  app.put(
    '/domains/:id/records/:recordId',
    {
      config: { access: 'user', errors: [409, ...PROVIDER_ERRORS] },
      schema: {
        operationId: 'updateRecord',
        tags,
        summary: 'Change fields of a record; those that are missing stay',
        params: RecordParams,
        headers: IfMatchHeaders,
        body: UpdateBody,
        response: { 200: ref(RecordAnswer) },
      },
    },
    (request) => {
      const { version: inBody, ...fields } = request.body
      const version = wantedVersion(request.headers['if-match'], inBody)
      const input = { ...fields, ...(version !== undefined && { version }) }
      return updateRecord(context, callerOf(request), request.params.id, request.params.recordId, input)
    },
  )

  app.delete(
    '/domains/:id/records/:recordId',
    {
      config: { access: 'user', errors: [409, ...PROVIDER_ERRORS] },
      schema: {
        operationId: 'deleteRecord',
        tags,
        summary: 'Delete a record at the provider',
        params: RecordParams,
        headers: IfMatchHeaders,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const version = wantedVersion(request.headers['if-match'], undefined)
      await deleteRecord(context, callerOf(request), request.params.id, request.params.recordId, version)
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/domains/:id/records/bulk',
    {
      config: { access: 'user', errors: [409, ...PROVIDER_ERRORS] },
      schema: {
        operationId: 'createRecords',
        tags,
        summary: 'Create up to 100 records; each entry succeeds or fails on its own',
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
      config: { access: 'user' },
      schema: {
        operationId: 'searchRecords',
        tags,
        summary: 'Find records by name, value or address over all domains that the caller sees',
        querystring: SearchQuery,
        response: { 200: SearchAnswer },
      },
    },
    (request) => searchRecords(app.db, request.principal, request.query),
  )
}
