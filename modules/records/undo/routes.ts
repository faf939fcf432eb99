import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../../plugins/access/index.ts'
import type { Audience } from '../../../plugins/audience.ts'
import { once } from '../../../plugins/idempotency-key.ts'
import { named } from '../../../schemas/named.ts'
import { AcceptedOperation } from '../../../schemas/operation.ts'
import { ref } from '../../../schemas/ref.ts'
import { IdParams, Uuid } from '../../../schemas/scalars.ts'
import { orAccepted } from '../accepted.ts'
import type { RecordContext } from '../apply.ts'
import { DomainsPlanAnswer, PlanLimit } from '../many-domains/schemas.ts'
import { undoOperation } from './service.ts'

const UndoQuery = Type.Object({
  dryRun: Type.Boolean({
    default: false,
    description: 'Only answer the plan, which is kept for an hour',
    examples: [false],
  }),
  limit: PlanLimit,
})

const UndoBody = Type.Object(
  {
    planId: Type.Optional(
      Type.Unsafe<string>({
        ...Uuid,
        description: 'What that plan of undoing this operation has shown; missing: it is planned now',
      }),
    ),
  },
  { ...named('OperationToRevert'), minProperties: 0, type: ['object', 'null'] },
)

/** Undoing what an operation did, over all of its domains: under /api and under /api/v1. */
export const undoRoutes: FastifyPluginAsyncTypebox<{
  context: RecordContext
  audience: Audience
}> = async (app, { context, audience: { base, rule, tags, operationId } }) => {
  app.post(
    '/operations/:id/revert',
    {
      config: { ...rule('records:write'), dear: true, errors: [404, 409] },
      schema: {
        operationId: operationId('revertOperation'),
        tags: tags('Records'),
        summary: 'Undo all that an operation did to records, or say what that would do',
        description:
          'For whoever asked for the operation, and administrators, once it has ended. One plan reverts what it did to records, over many domains or in one, and is done as an operation itself, which can be undone in turn. With `dryRun` nothing is done, and the plan is answered and kept: it is applied by its `planId`. An RRset in which anything was changed since is left as it is, and named in `blocked` (`changed_since`); so is a record that the caller may not write. Of records that the caller does not see only the number is said (`records_hidden`), and of such domains (`hidden`). Then the operation ends `partly` or `failed`. Where nothing is left to undo it is a 409 (`nothing_to_undo`).',
        params: IdParams,
        querystring: UndoQuery,
        body: UndoBody,
        response: { 200: ref(DomainsPlanAnswer), 202: AcceptedOperation },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const undo = () =>
        undoOperation(context, caller, request.params.id, { ...request.query, ...request.body })
      return orAccepted(reply, base, await once(caller, undo))
    },
  )
}
