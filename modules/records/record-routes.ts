import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { withAllFaults, type Fields } from '../../plugins/http/validation/all-faults.ts'
import { callerOf } from '../../plugins/security/access/index.ts'
import { PROVIDER_ERRORS } from '../../plugins/openapi/openapi.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { DnsRecord } from '../../schemas/record.ts'
import { ref } from '../../schemas/ref.ts'
import { IdParams } from '../../schemas/scalars.ts'
import type { RecordContext } from './apply/apply.ts'
import { faultsOfChanges } from './plan/faults.ts'
import { listRecords, readRecord } from './list/list.ts'
import {
  CreateBody,
  Deleted,
  IfMatchHeaders,
  ListQuery,
  MAX_RECORDS_BYTES,
  RecordAnswer,
  RecordPage,
  RecordParams,
  UpdateBody,
} from './schemas.ts'
import { createRecord, deleteRecord, recordTag, updateRecord } from './apply/records.ts'

/** The records of a domain, one at a time: under /api and under /api/v1. */
export const recordRoutes: FastifyPluginAsyncTypebox<{ context: RecordContext; audience: Audience }> = async (
  app,
  { context, audience: { base, rule, tags, operationId } },
) => {
  const orAllFaults = withAllFaults(UpdateBody)

  app.get(
    '/:id/records',
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

  app.post(
    '/:id/records',
    {
      config: { ...rule('records:write'), errors: [409, ...PROVIDER_ERRORS] },
      bodyLimit: MAX_RECORDS_BYTES,
      schema: {
        operationId: operationId('createRecord'),
        tags: tags('Records'),
        summary: 'Create a record at the provider',
        description:
          'Needs the right to write at that name. Answers when the provider has taken it; `warnings` are about what is allowed and most likely not meant. A TTL that differs from that of its name and type changes all of them. What stands in the way is in `record` of a 409.',
        params: IdParams,
        body: CreateBody,
        response: { 201: ref(RecordAnswer) },
      },
      errorHandler: (error, request, reply) =>
        orAllFaults(error, reply, (bodies) =>
          faultsOfChanges(
            context,
            callerOf(request),
            request.params.id,
            bodies.map(as({ action: 'create' })),
          ),
        ),
    },
    async (request, reply) => {
      const { id } = request.params
      const record = await createRecord(context, callerOf(request), id, request.body)
      return reply.code(201).header('location', `${base}/domains/${id}/records/${record.id}`).send(record)
    },
  )

  app.get(
    '/:id/records/:recordId',
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

  app.put(
    '/:id/records/:recordId',
    {
      config: { ifMatch: true, ...rule('records:write'), errors: [409, ...PROVIDER_ERRORS] },
      bodyLimit: MAX_RECORDS_BYTES,
      schema: {
        operationId: operationId('updateRecord'),
        tags: tags('Records'),
        summary: 'Change fields of a record; those that are missing stay',
        description:
          'Needs the right to write at the old and at the new name. A record that was changed meanwhile is 409 with `version` in the body and 412 with `If-Match`, which also takes the `version`; it is in `current`. Fields that are not sent are not judged.',
        params: RecordParams,
        headers: IfMatchHeaders,
        body: UpdateBody,
        response: { 200: ref(RecordAnswer) },
      },
      errorHandler: (error, request, reply) => {
        const { id, recordId } = request.params
        const change = as({ action: 'update', recordId })
        orAllFaults(error, reply, (bodies) =>
          faultsOfChanges(context, callerOf(request), id, bodies.map(change)),
        )
      },
    },
    (request) => {
      const { id, recordId } = request.params
      return updateRecord(context, callerOf(request), id, recordId, request.body)
    },
  )

  app.delete(
    '/:id/records/:recordId',
    {
      config: { ifMatch: true, ...rule('records:write'), errors: [409, ...PROVIDER_ERRORS] },
      schema: {
        operationId: operationId('deleteRecord'),
        tags: tags('Records'),
        summary: 'Delete a record at the provider',
        description:
          "Needs the right to write at that name. With `If-Match`, which also takes the `version`, a record that was changed meanwhile is 412. The last NS at the apex can't be deleted. `Change-Id` names the change.",
        params: RecordParams,
        headers: IfMatchHeaders,
        response: { 204: Deleted },
      },
    },
    async (request, reply) => {
      const { id, recordId } = request.params
      const changeId = await deleteRecord(context, callerOf(request), id, recordId)
      if (changeId !== null) reply.header('change-id', changeId)
      return reply.code(204).send(null)
    },
  )
}

/** What a body says, as a change. */
const as = (change: object) => (body: Fields) => ({ ...body, values: { ...body.values, ...change } })
