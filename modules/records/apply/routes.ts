import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { withAllFaults, type Fields } from '../../../plugins/http/validation/all-faults.ts'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { AcceptedOperation } from '../../../schemas/operation.ts'
import { ref } from '../../../schemas/ref.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { orAccepted } from '../../operations/contract.ts'
import { faultsOfChanges } from '../plan/faults.ts'
import { CreateBody, MAX_RECORDS_BYTES, RecordParams, UpdateBody } from '../schemas.ts'
import { createMany, createRecord, deleteRecord, updateRecord } from './records.ts'
import { planBody, submitBody } from './requested-changes.ts'
import {
  ApplyBody,
  BulkAnswer,
  BulkBody,
  ChangesBody,
  Deleted,
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
  const orAllFaults = withAllFaults(UpdateBody)
  const orAllFaultsOfChanges = withAllFaults(PartialChange, changesIn)

  app.post(
    '/domains/:id/records',
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
          faultsOfChanges(app, callerOf(request), request.params.id, bodies.map(as({ action: 'create' }))),
        ),
    },
    async (request, reply) => {
      const { id } = request.params
      const record = await createRecord(app, callerOf(request), id, request.body)
      return reply.code(201).header('location', `${base}/domains/${id}/records/${record.id}`).send(record)
    },
  )

  app.put(
    '/domains/:id/records/:recordId',
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
        orAllFaults(error, reply, (bodies) => faultsOfChanges(app, callerOf(request), id, bodies.map(change)))
      },
    },
    (request) => {
      const { id, recordId } = request.params
      return updateRecord(app, callerOf(request), id, recordId, request.body)
    },
  )

  app.delete(
    '/domains/:id/records/:recordId',
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
      const changeId = await deleteRecord(app, callerOf(request), id, recordId)
      if (changeId !== null) reply.header('change-id', changeId)
      return reply.code(204).send(null)
    },
  )

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
    (request) => createMany(app, callerOf(request), request.params.id, request.body.records),
  )

  app.post(
    '/domains/:id/records/plan',
    {
      config: { ...rule('records:read') },
      bodyLimit: MAX_RECORDS_BYTES,
      schema: {
        operationId: operationId('planRecords'),
        tags: tags('Records'),
        summary: 'What changes would do, without doing it',
        description:
          "For everybody who sees the domain; nothing is changed at the provider. Of few sets the provider is asked for other values, which are a warning (`unknown_siblings`); those of a `set` are stored here, so that the plan shows that they go. Deletions come first, then updates, then creations. What can't be done is in `conflicts`; a change that lacks what its action needs is 400.",
        params: IdParams,
        body: ChangesBody,
        response: { 200: ref(PlanAnswer) },
      },
      errorHandler: (error, request, reply) =>
        orAllFaultsOfChanges(error, reply, (changes) =>
          faultsOfChanges(app, callerOf(request), request.params.id, changes),
        ),
    },
    (request) => planBody(app, callerOf(request), request.params.id, request.body),
  )

  app.post(
    '/domains/:id/records/apply',
    {
      config: { ...rule('records:write'), errors },
      bodyLimit: MAX_RECORDS_BYTES,
      schema: {
        operationId: operationId('applyRecords'),
        tags: tags('Records'),
        summary: 'Do all of the changes, or none when a check refuses one',
        description:
          'Needs the right to write at all names concerned. What stands against it is 409 with all `conflicts` (403 when a right is missing). With `planId` it does what a kept plan has shown; where that would be something else by now it is 409 `plan_outdated`, with the `plan` of now. More than the provider takes in one call goes in several: when one of them fails, or the service dies in between, part of it is done. Then `changeStatus` is `partial`, `done` of `total` say how much, and `retryChange` plans the rest by `changeId`.',
        params: IdParams,
        body: ApplyBody,
        response: { 200: ref(PlanAnswer), 202: AcceptedOperation },
      },
      errorHandler: (error, request, reply) =>
        orAllFaultsOfChanges(error, reply, (changes) =>
          faultsOfChanges(app, callerOf(request), request.params.id, changes),
        ),
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const apply = () => submitBody(app, caller, request.params.id, request.body)
      return orAccepted(reply, base, await onceApplied(app, caller, request.params.id, apply))
    },
  )
}

/** What a body says, as a change. */
const as = (change: object) => (body: Fields) => ({ ...body, values: { ...body.values, ...change } })

/** The changes of a body that may be anything. */
function changesIn(body: unknown): [path: string, change: unknown][] {
  const { changes } = (body ?? {}) as { changes?: unknown }
  return Array.isArray(changes) ? changes.map((change, index) => [`/changes/${index}`, change]) : []
}
