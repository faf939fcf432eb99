import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { once } from '../../../plugins/http/idempotency/key.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { ref } from '../../../schemas/ref.ts'
import { confirmChange, confirmOperation } from '../confirmation/confirm.ts'
import { ChangeParams, HistoryEntry } from '../history/schemas.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { OperationConfirmation } from '../confirmation/schemas.ts'
import { applyNow } from './apply-now.ts'
import { cancelScheduled } from './schedule.ts'

/** Routes that cancel a scheduled change or apply it now, and confirm an applied one, under /api and /api/v1. */
export const laterRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.post('/domains/:id/changes/:changeId/cancel', {
    config: { ...rule('changes:apply'), errors: [409] },
    schema: {
      operationId: operationId('cancelChange'),
      tags: tags('Records'),
      summary: 'Cancel a scheduled change',
      description:
        'For its author, and for callers with write permission for everything that it touches. 404 for those who do not see all of it, 409 (`not_scheduled`) once it has been applied, has failed or was cancelled.',
      params: ChangeParams,
      response: { 200: ref(HistoryEntry) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      const { id, changeId } = request.params
      return once(caller, () => cancelScheduled(app, caller, id, changeId))
    },
  })

  app.post('/domains/:id/changes/:changeId/apply', {
    config: { ...rule('changes:apply'), errors: [409, ...PROVIDER_ERRORS] },
    schema: {
      operationId: operationId('applyChangeNow'),
      tags: tags('Records'),
      summary: 'Apply a scheduled change now instead of at its time',
      description:
        'Needs write permission for everything that the change touches. Applies exactly what was scheduled, or nothing, with the permissions that its author has by now; `status` says what became of it. It stays `scheduled` while the names are being changed or the DNS provider is down, and is tried again soon. 404 for those who do not see all of it, 409 (`not_scheduled`) once it has been applied, has failed or was cancelled.',
      params: ChangeParams,
      response: { 200: ref(HistoryEntry) },
    },
    handler: (request) => {
      const { id, changeId } = request.params
      return applyNow(app, callerOf(request), id, changeId)
    },
  })

  app.post('/domains/:id/changes/:changeId/confirm', {
    config: { ...rule('changes:apply'), errors: [409] },
    schema: {
      operationId: operationId('confirmChange'),
      tags: tags('Records'),
      summary: 'Confirm an applied change, so that it stays',
      description:
        'Needs write permission for everything that the change touches. `revertChange` reverts it at once instead. 409 if it does not wait to be confirmed or is being reverted (`not_unconfirmed`), has no outcome yet, or the domain requires that changes are verified and the name servers do not serve it yet (`not_verified`).',
      params: ChangeParams,
      response: { 200: ref(HistoryEntry) },
    },
    handler: (request) => {
      const caller = callerOf(request)
      const { id, changeId } = request.params
      return once(caller, () => confirmChange(app, caller, id, changeId))
    },
  })

  app.post('/operations/:id/confirm', {
    config: { ...rule('changes:apply'), concurrencyLimit: true, errors: [404, 409] },
    schema: {
      operationId: operationId('confirmOperation'),
      tags: tags('Records'),
      summary: 'Confirm the changes of an operation in all of its domains, so that they stay',
      description:
        'For the user who started the operation, and administrators, once it has ended; may be repeated. Needs write permission for everything that each change touches: those that cannot be confirmed are in `left`, with the reason, and are reverted at their time. `revertOperation` reverts all of them at once instead. 409 if the changes need no confirmation (`not_unconfirmed`) or the operation is still running (`change_unsettled`).',
      params: IdParams,
      response: { 200: OperationConfirmation },
    },
    handler: (request) => confirmOperation(app, callerOf(request), request.params.id),
  })
}
