import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { AcceptedOperation } from '../../../schemas/operation.ts'
import { ref } from '../../../schemas/ref.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { orAccepted } from '../../operations/contract.ts'
import { readChange, readHistory } from './history.ts'
import { restoreRecords, retryChange, revertChange } from './revert.ts'
import {
  ChangePage,
  ChangeParams,
  ChangeQuery,
  HistoryEntry,
  HistoryQuery,
  RestoreBody,
  RevertQuery,
} from './schemas.ts'
import { PlanAnswer } from '../apply/schemas.ts'
import { onceApplied } from '../apply/submit.ts'

const errors = [409, ...PROVIDER_ERRORS]

/** Routes that read the history of a domain, and revert, retry and restore, under /api and /api/v1. */
export const historyRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, tags, operationId } },
) => {
  app.get('/domains/:id/changes', {
    config: { ...rule('records:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('listChanges'),
      tags: tags('Records'),
      summary: 'List changes, newest first',
      description:
        'Requires access to the domain; returns only what the caller can see. Contains the first items of each change; `GET /api/domains/{id}/changes/{changeId}` returns the rest.',
      params: IdParams,
      querystring: HistoryQuery,
      response: { 200: ChangePage },
    },
    handler: (request) => readHistory(app, callerOf(request), request.params.id, request.query),
  })

  app.get('/domains/:id/changes/:changeId', {
    config: { ...rule('records:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('getChange'),
      tags: tags('Records'),
      summary: 'Get a change with all its items',
      description:
        'Requires access to the domain; returns only what the caller can see. `outcome` of an item says whether the DNS provider applied it.',
      params: ChangeParams,
      querystring: ChangeQuery,
      response: { 200: ref(HistoryEntry) },
    },
    handler: (request) =>
      readChange(app, callerOf(request), request.params.id, request.params.changeId, request.query),
  })

  app.post('/domains/:id/changes/:changeId/revert', {
    config: { ...rule('records:write'), errors },
    schema: {
      operationId: operationId('revertChange'),
      tags: tags('Records'),
      summary: 'Revert a change, or plan it with `dryRun`',
      description:
        'Returns the records of the change that the caller sees to their state before it. A record that was changed since is 409; revert the newer change first. More than 1,000 changes continue as an operation (202).',
      params: ChangeParams,
      querystring: RevertQuery,
      response: { 200: ref(PlanAnswer), 202: AcceptedOperation },
    },
    handler: async (request, reply) => {
      const { id, changeId } = request.params
      const caller = callerOf(request)
      const revert = () => revertChange(app, caller, id, { changeId, ...request.query })
      return orAccepted(reply, base, await onceApplied(app, caller, id, revert))
    },
  })

  app.post('/domains/:id/changes/:changeId/retry', {
    config: { ...rule('records:write'), errors },
    schema: {
      operationId: operationId('retryChange'),
      tags: tags('Records'),
      summary: 'Retry a change, or plan it with `dryRun`',
      description:
        'Applies the failed items of a `partial` or `failed` change that the caller sees. Records that are already as wanted are skipped; a record that was changed in another way since is 409. More than 1,000 changes continue as an operation (202).',
      params: ChangeParams,
      querystring: RevertQuery,
      response: { 200: ref(PlanAnswer), 202: AcceptedOperation },
    },
    handler: async (request, reply) => {
      const { id, changeId } = request.params
      const caller = callerOf(request)
      const retry = () => retryChange(app, caller, id, { changeId, ...request.query })
      return orAccepted(reply, base, await onceApplied(app, caller, id, retry))
    },
  })

  app.post('/domains/:id/restore', {
    config: { ...rule('records:write'), errors },
    schema: {
      operationId: operationId('restoreRecords'),
      tags: tags('Records'),
      summary: 'Restore the records to a point in time, or plan it without `apply`',
      description:
        'Planning requires access to the domain, `apply` requires write permission. Goes back as far as the registration of the domain here and the history that is kept (`before_history`), for managed records only. Conflicts are 409. More than 1,000 changes continue as an operation (202).',
      params: IdParams,
      body: RestoreBody,
      response: { 200: ref(PlanAnswer), 202: AcceptedOperation },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const restore = () => restoreRecords(app, caller, request.params.id, request.body)
      return orAccepted(reply, base, await onceApplied(app, caller, request.params.id, restore))
    },
  })
}
