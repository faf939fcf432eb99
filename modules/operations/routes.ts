import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '../../schemas/scalars.ts'
import { OperationAnswer, OperationPage, OperationsQuery } from './schemas.ts'
import { readOperation, readOperations } from './service.ts'

const tags = ['Records']

export const routes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/operations',
    {
      config: { access: 'user' },
      schema: {
        operationId: 'listOperations',
        tags,
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
      config: { access: 'user', dear: true },
      schema: {
        operationId: 'getOperation',
        tags,
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
