import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AppError, invalid, type FieldError } from '../../../plugins/http/errors.ts'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { AcceptedOperation } from '../../../schemas/operation.ts'
import { ref } from '../../../schemas/ref.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { orAccepted } from '../../operations/contract.ts'
import { submitBody } from '../apply/requested-changes.ts'
import { Deleted, IfMatchHeaders, PlanAnswer } from '../apply/schemas.ts'
import { onceApplied } from '../apply/submit.ts'
import { MAX_RECORDS_BYTES } from '../schemas.ts'
import { BatchBody, PutRRsetBody, PutRRsetHeaders, RRset, RRsetParams, WrittenRRset } from './schemas.ts'
import { deleteRRset, putRRset, readRRset } from './service.ts'

const errors = [409, ...PROVIDER_ERRORS]

/** Routes for whole RRsets, which declarative tools work with, under /api and /api/v1. */
export const rrsetRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, tags, operationId } },
) => {
  app.get('/domains/:id/rrsets/:name/:type', {
    config: { ...rule('records:read') },
    schema: {
      operationId: operationId('getRRset'),
      tags: tags('Records'),
      summary: 'Get an RRset: all values of a name and type',
      description:
        'What is published, as stored here; the DNS provider is not queried. Disabled records are not part of it. RRsets that the caller does not see are 404.',
      params: RRsetParams,
      response: { 200: ref(RRset) },
    },
    handler: async (request) => readRRset(app.db, request.principal, request.params.id, request.params),
  })

  app.put('/domains/:id/rrsets/:name/:type', {
    config: { ifMatch: true, ...rule('records:write'), errors },
    bodyLimit: MAX_RECORDS_BYTES,
    schema: {
      operationId: operationId('putRRset'),
      tags: tags('Records'),
      summary: 'Create or replace an RRset',
      description:
        'Makes the RRset have exactly these values, with one change; 201 if it is new. Other values are deleted, including those that only the DNS provider holds. Disabled records stay, unless `values` names them. A repeated request changes nothing. 409 for RRsets answered by line, weight or region.',
      params: RRsetParams,
      headers: PutRRsetHeaders,
      body: PutRRsetBody,
      response: { 200: ref(WrittenRRset), 201: ref(WrittenRRset) },
    },
    handler: async (request, reply) => {
      const { id, name, type } = request.params
      const onlyNew = request.headers['if-none-match'] === '*'
      const caller = callerOf(request)
      const { isNew, rrset } = await putRRset(app, caller, id, { name, type }, request.body, { onlyNew })
      return reply.code(isNew ? 201 : 200).send(rrset)
    },
  })

  app.delete('/domains/:id/rrsets/:name/:type', {
    config: { ifMatch: true, ...rule('records:write'), errors },
    schema: {
      operationId: operationId('deleteRRset'),
      tags: tags('Records'),
      summary: 'Delete an RRset',
      description:
        'Deletes all its values, including those that only the DNS provider holds; disabled records stay. 204 also if there is none. `Change-Id` names the change.',
      params: RRsetParams,
      headers: IfMatchHeaders,
      response: { 204: Deleted },
    },
    handler: async (request, reply) => {
      const { id, name, type } = request.params
      const changeId = await deleteRRset(app, callerOf(request), id, { name, type })
      if (changeId !== null) reply.header('change-id', changeId)
      return reply.code(204).send(null)
    },
  })

  app.post('/domains/:id/rrsets/batch', {
    config: { ...rule('records:write'), errors },
    bodyLimit: MAX_RECORDS_BYTES,
    schema: {
      operationId: operationId('putRRsets'),
      tags: tags('Records'),
      summary: 'Create, replace and delete many RRsets with one change',
      description:
        'Like `applyRecords` with a `set` for each: all or none. `index` in the answer counts the RRsets. Without values, an RRset is deleted.',
      params: IdParams,
      body: BatchBody,
      response: { 200: ref(PlanAnswer), 202: AcceptedOperation },
    },
    handler: async (request, reply) => {
      const { rrsets, ...options } = request.body
      const changes = rrsets.map((rrset) => ({ action: 'set' as const, ...rrset }))
      const { id } = request.params
      const caller = callerOf(request)
      const apply = () => submitBody(app, caller, id, { changes, ...options }).catch(inBatch)
      return orAccepted(reply, base, await onceApplied(app, caller, id, apply))
    },
  })
}

/** Names the fields of a batch in errors about its changes. */
function inBatch(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'validation_failed') throw error
  const errors = error.extra['errors'] as FieldError[]
  throw invalid(...errors.map((one) => ({ ...one, path: one.path.replace(/^\/changes\//, '/rrsets/') })))
}
