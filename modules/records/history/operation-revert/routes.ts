import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../../plugins/security/access/index.ts'
import type { Audience } from '../../../../plugins/openapi/audience.ts'
import { once } from '../../../../plugins/http/idempotency/key.ts'
import { named } from '../../../../schemas/named.ts'
import { AcceptedOperation } from '../../../../schemas/operation.ts'
import { ref } from '../../../../schemas/ref.ts'
import { IdParams, Uuid } from '../../../../schemas/scalars.ts'
import { orAccepted } from '../../../operations/contract.ts'
import { DomainsPlanAnswer, PlanLimit } from '../../bulk/schemas.ts'
import { revertOperation } from './service.ts'

const OperationRevertQuery = Type.Object({
  dryRun: Type.Boolean({
    default: false,
    description: 'Only return the plan, which is kept for an hour',
    examples: [false],
  }),
  limit: PlanLimit,
})

const OperationRevertBody = Type.Object(
  {
    planId: Type.Optional(
      Type.Unsafe<string>({
        ...Uuid,
        description: 'A kept plan to revert this operation. Omit it to plan and apply at once',
      }),
    ),
  },
  { ...named('OperationToRevert'), minProperties: 0, type: ['object', 'null'] },
)

/** Routes that revert an operation in all of its domains, under /api and /api/v1. */
export const operationRevertRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, tags, operationId } },
) => {
  app.post('/operations/:id/revert', {
    config: { ...rule('records:write'), concurrencyLimit: true, errors: [404, 409] },
    schema: {
      operationId: operationId('revertOperation'),
      tags: tags('Records'),
      summary: 'Revert all record changes of an operation, or plan to',
      description:
        'For the user who started the operation, and administrators, once it has ended. One plan reverts its record changes in every domain, and is applied as an operation of its own, which can be reverted in turn. `dryRun` only returns the plan and keeps it; apply it with its `planId`. An RRset that was changed since then is left alone and listed in `blocked` (`changed_since`), as is a record that the caller may not write. Records and domains that the caller cannot see are only counted (`records_hidden`, `hidden`). In these cases the operation ends `partly` or `failed`. With nothing left to revert it is a 409 (`nothing_to_undo`).',
      params: IdParams,
      querystring: OperationRevertQuery,
      body: OperationRevertBody,
      response: { 200: ref(DomainsPlanAnswer), 202: AcceptedOperation },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const revert = () =>
        revertOperation(app, caller, request.params.id, { ...request.query, ...request.body })
      return orAccepted(reply, base, await once(caller, revert))
    },
  })
}
