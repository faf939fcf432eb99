import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { OperationAnswer, OperationPage, OperationsQuery } from './schemas.ts'
import { readOperation, readOperations } from './service.ts'

export const routes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get(
    '/operations',
    {
      config: { ...rule('records:read') },
      schema: {
        operationId: operationId('listOperations'),
        tags: tags('Records'),
        summary: 'The own large changes, newest first',
        description:
          'Of everybody the own ones alone, for 30 days after their end, without what they answered.',
        querystring: OperationsQuery,
        response: { 200: OperationPage },
      },
    },
    (request) => readOperations(app.db, request.principal, request.query),
  )

  app.get(
    '/operations/:id',
    {
      config: { ...rule('records:read'), concurrencyLimit: true },
      schema: {
        operationId: operationId('getOperation'),
        tags: tags('Records'),
        summary: 'How far a large change is, and how it ended',
        description:
          'For who asked for it, and administrators. It is over when `outcome` is not null. `result` and `problem` are not shown to who sees less of the domain by now.',
        params: IdParams,
        response: { 200: OperationAnswer },
      },
    },
    (request) => readOperation(app.db, request.principal, request.params.id),
  )
}
