import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { AcceptedOperation } from '../../../schemas/operation.ts'
import { ref } from '../../../schemas/ref.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { orAccepted } from '../../operations/contract.ts'
import { readChange, readHistory } from './history.ts'
import { restoreRecords, revertChange } from './revert.ts'
import { retryChange } from './retry.ts'
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

/** The history of a domain and the ways back and on from it, under /api and under /api/v1. */
export const historyRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, tags, operationId } },
) => {
  app.get(
    '/domains/:id/changes',
    {
      config: { ...rule('records:read'), concurrencyLimit: true },
      schema: {
        operationId: operationId('listChanges'),
        tags: tags('Records'),
        summary: 'Who changed what when, newest first',
        description:
          'For everybody who sees the domain, of the names that they see. Of each change the first items; the rest by `GET /api/domains/{id}/changes/{changeId}`.',
        params: IdParams,
        querystring: HistoryQuery,
        response: { 200: ChangePage },
      },
    },
    (request) => readHistory(app, callerOf(request), request.params.id, request.query),
  )

  app.get(
    '/domains/:id/changes/:changeId',
    {
      config: { ...rule('records:read'), concurrencyLimit: true },
      schema: {
        operationId: operationId('getChange'),
        tags: tags('Records'),
        summary: 'One change with all its items',
        description:
          'For everybody who sees the domain, of the names that they see. `outcome` of an item says whether the provider did it.',
        params: ChangeParams,
        querystring: ChangeQuery,
        response: { 200: ref(HistoryEntry) },
      },
    },
    (request) =>
      readChange(app, callerOf(request), request.params.id, request.params.changeId, request.query),
  )

  app.post(
    '/domains/:id/changes/:changeId/revert',
    {
      config: { ...rule('records:write'), errors },
      schema: {
        operationId: operationId('revertChange'),
        tags: tags('Records'),
        summary: 'Undo a change, or say what that would do',
        description:
          'Brings each record of the change back to what it was before, as far as the caller sees it. A record that was changed since is a 409: revert the newer change first. With `dryRun` nothing is done and the plan is answered. More than 1,000 changes go on as an operation (202).',
        params: ChangeParams,
        querystring: RevertQuery,
        response: { 200: ref(PlanAnswer), 202: AcceptedOperation },
      },
    },
    async (request, reply) => {
      const { id, changeId } = request.params
      const caller = callerOf(request)
      const revert = () => revertChange(app, caller, id, changeId, request.query)
      return orAccepted(reply, base, await onceApplied(app, caller, id, revert))
    },
  )

  app.post(
    '/domains/:id/changes/:changeId/retry',
    {
      config: { ...rule('records:write'), errors },
      schema: {
        operationId: operationId('retryChange'),
        tags: tags('Records'),
        summary: 'Do what a change did not do, or say what that would do',
        description:
          'For a change that is `partial` or `failed`: does the items that failed, as far as the caller sees them. What is as wanted by now is left out; a record that was changed otherwise since is a 409. With `dryRun` nothing is done and the plan is answered. More than 1,000 changes go on as an operation (202).',
        params: ChangeParams,
        querystring: RevertQuery,
        response: { 200: ref(PlanAnswer), 202: AcceptedOperation },
      },
    },
    async (request, reply) => {
      const { id, changeId } = request.params
      const caller = callerOf(request)
      const retry = () => retryChange(app, caller, id, changeId, request.query)
      return orAccepted(reply, base, await onceApplied(app, caller, id, retry))
    },
  )

  app.post(
    '/domains/:id/restore',
    {
      config: { ...rule('records:write'), errors },
      schema: {
        operationId: operationId('restoreRecords'),
        tags: tags('Records'),
        summary: 'The plan back to a moment, and with `apply` the deed',
        description:
          'Without `apply` only the plan, for everybody who sees the domain; with it needs the right to write. Goes back as far as the domain is registered here, for managed records alone; 409 says what stands against it. More than 1,000 changes go on as an operation (202).',
        params: IdParams,
        body: RestoreBody,
        response: { 200: ref(PlanAnswer), 202: AcceptedOperation },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const restore = () => restoreRecords(app, caller, request.params.id, request.body)
      return orAccepted(reply, base, await onceApplied(app, caller, request.params.id, restore))
    },
  )
}
