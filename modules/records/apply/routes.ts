import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyReply } from 'fastify'
import { withAllFaults, type Fields } from '../../../plugins/http/validation/all-faults.ts'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { AcceptedOperation } from '../../../schemas/operation.ts'
import { ref } from '../../../schemas/ref.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { orAccepted } from '../../operations/contract.ts'
import { faultsOfChanges } from '../plan/faults.ts'
import { CreateBody, MAX_RECORDS_BYTES, RecordParams, RecordUpdate, UpdateBody } from '../schemas.ts'
import { createMany, createRecord, deleteRecord, updateRecord } from './records.ts'
import { planBody, submitBody } from './requested-changes.ts'
import {
  ApplyBody,
  BulkAnswer,
  BulkBody,
  ChangesBody,
  Deleted,
  DeleteQuery,
  IfMatchHeaders,
  PartialChange,
  PlanAnswer,
  RecordAnswer,
} from './schemas.ts'
import { onceApplied } from './submit.ts'

const errors = [409, ...PROVIDER_ERRORS]

/** Routes that change records, under /api and /api/v1. */
export const changeRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, tags, operationId } },
) => {
  const orAllFaults = withAllFaults(RecordUpdate)
  const orAllFaultsOfChanges = withAllFaults(PartialChange, changesIn)

  function scheduled<T extends { changeId: string }>(reply: FastifyReply, id: string, plan: T): T {
    void reply.code(202).header('location', `${base}/domains/${id}/changes/${plan.changeId}`)
    return plan
  }

  app.post('/domains/:id/records', {
    config: { ...rule('records:write'), errors: [409, ...PROVIDER_ERRORS] },
    bodyLimit: MAX_RECORDS_BYTES,
    schema: {
      operationId: operationId('createRecord'),
      tags: tags('Records'),
      summary: 'Create a record',
      description:
        'Needs write permission for the name. Answers when the DNS provider has the record. `warnings` are about settings that are allowed but probably a mistake. A new TTL applies to all records of the name and type. A 409 contains the conflicting `record`. With `applyAt` nothing is created yet, and the answer is 202 with the scheduled change.',
      params: IdParams,
      body: CreateBody,
      response: { 201: ref(RecordAnswer), 202: ref(PlanAnswer) },
    },
    errorHandler: (error, request, reply) =>
      orAllFaults(error, reply, (bodies) =>
        faultsOfChanges(app, callerOf(request), request.params.id, bodies.map(as({ action: 'create' }))),
      ),
    handler: async (request, reply) => {
      const { id } = request.params
      const done = await createRecord(app, callerOf(request), id, request.body)
      if ('scheduled' in done) return scheduled(reply, id, done)
      return reply.code(201).header('location', `${base}/domains/${id}/records/${done.id}`).send(done)
    },
  })

  app.put('/domains/:id/records/:recordId', {
    config: { ifMatch: true, ...rule('records:write'), errors: [409, ...PROVIDER_ERRORS] },
    bodyLimit: MAX_RECORDS_BYTES,
    schema: {
      operationId: operationId('updateRecord'),
      tags: tags('Records'),
      summary: 'Update a record',
      description:
        'Fields that are not sent stay as they are and are not checked. Needs write permission for the old and the new name. If the record has changed meanwhile, the answer is 409 with `version` in the body, and 412 with `If-Match` (an `ETag` or a `version`); it contains the `current` record. With `applyAt` nothing changes yet, and the answer is 202 with the scheduled change.',
      params: RecordParams,
      headers: IfMatchHeaders,
      body: UpdateBody,
      response: { 200: ref(RecordAnswer), 202: ref(PlanAnswer) },
    },
    errorHandler: (error, request, reply) => {
      const { id, recordId } = request.params
      const change = as({ action: 'update', recordId })
      orAllFaults(error, reply, (bodies) => faultsOfChanges(app, callerOf(request), id, bodies.map(change)))
    },
    handler: async (request, reply) => {
      const { id, recordId } = request.params
      const done = await updateRecord(app, callerOf(request), id, recordId, request.body)
      return 'scheduled' in done ? scheduled(reply, id, done) : done
    },
  })

  app.delete('/domains/:id/records/:recordId', {
    config: { ifMatch: true, ...rule('records:write'), errors: [409, ...PROVIDER_ERRORS] },
    schema: {
      operationId: operationId('deleteRecord'),
      tags: tags('Records'),
      summary: 'Delete a record',
      description:
        'Needs write permission for the name. With `If-Match` (an `ETag` or a `version`), a record that has changed meanwhile is 412. The last NS record at the apex cannot be deleted. `Change-Id` names the change. With `applyAt` nothing is deleted yet, and the answer is 202 with the scheduled change.',
      params: RecordParams,
      querystring: DeleteQuery,
      headers: IfMatchHeaders,
      response: { 204: Deleted, 202: ref(PlanAnswer) },
    },
    handler: async (request, reply) => {
      const { id, recordId } = request.params
      const done = await deleteRecord(app, callerOf(request), id, recordId, request.query)
      if ('scheduled' in done) return scheduled(reply, id, done)
      const { changeId, confirmBy = null } = done
      if (changeId !== null) void reply.header('change-id', changeId)
      if (confirmBy !== null) void reply.header('confirm-by', confirmBy)
      return reply.code(204).send(null)
    },
  })

  app.post('/domains/:id/records/bulk', {
    config: { ...rule('records:write'), entries: 'records', errors: [409, ...PROVIDER_ERRORS] },
    bodyLimit: MAX_RECORDS_BYTES,
    schema: {
      operationId: operationId('createRecords'),
      tags: tags('Records'),
      summary: 'Create up to 100 records; each entry succeeds or fails on its own',
      description:
        'Needs write permission for the domain. The answer is 200 even if entries fail: `results` has one item for each entry, in the same order, with `error` if it failed.',
      params: IdParams,
      body: BulkBody,
      response: { 200: BulkAnswer },
    },
    handler: (request) => createMany(app, callerOf(request), request.params.id, request.body.records),
  })

  app.post('/domains/:id/records/plan', {
    config: { ...rule('records:read') },
    bodyLimit: MAX_RECORDS_BYTES,
    schema: {
      operationId: operationId('planRecords'),
      tags: tags('Records'),
      summary: 'Plan changes of records',
      description:
        'Returns what the changes would do; nothing changes at the DNS provider. Requires access to the domain. If the plan concerns few RRsets, the provider is asked for other values in them, which cause a warning (`unknown_siblings`). Those in an RRset of a `set` are stored here, so that the plan shows that they will be deleted. Deletes come first, then updates, then creates. Changes that cannot be done are in `conflicts`; a change without a field that its action needs is 400.',
      params: IdParams,
      body: ChangesBody,
      response: { 200: ref(PlanAnswer) },
    },
    errorHandler: (error, request, reply) =>
      orAllFaultsOfChanges(error, reply, (changes) =>
        faultsOfChanges(app, callerOf(request), request.params.id, changes),
      ),
    handler: (request) => planBody(app, callerOf(request), request.params.id, request.body),
  })

  app.post('/domains/:id/records/apply', {
    config: { ...rule('records:write'), errors },
    bodyLimit: MAX_RECORDS_BYTES,
    schema: {
      operationId: operationId('applyRecords'),
      tags: tags('Records'),
      summary: 'Apply changes of records, or a kept plan',
      description:
        'Applies all changes, or none if a check refuses one. Needs write permission for all names. Refused changes are 409 with all `conflicts` (403 if a permission is missing). With `planId`, applies a kept plan; if it would now do something else than was shown, the answer is 409 `plan_outdated` with the new `plan`. Large changes take several calls of the DNS provider: if one of them fails, or the service stops in between, a part is applied. Then `changeStatus` is `partial`, `done` and `total` say how much, and `retryChange` plans the rest by `changeId`.',
      params: IdParams,
      body: ApplyBody,
      response: { 200: ref(PlanAnswer), 202: AcceptedOperation },
    },
    errorHandler: (error, request, reply) =>
      orAllFaultsOfChanges(error, reply, (changes) =>
        faultsOfChanges(app, callerOf(request), request.params.id, changes),
      ),
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const apply = () => submitBody(app, caller, request.params.id, request.body)
      return orAccepted(reply, base, await onceApplied(app, caller, request.params.id, apply))
    },
  })
}

/** Turns a body into a change. */
const as = (change: object) => (body: Fields) => ({ ...body, values: { ...body.values, ...change } })

/** Returns the changes of an unchecked body. */
function changesIn(body: unknown): [path: string, change: unknown][] {
  const { changes } = (body ?? {}) as { changes?: unknown }
  return Array.isArray(changes) ? changes.map((change, index) => [`/changes/${index}`, change]) : []
}
