import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { OperationAnswer, OperationPage, OperationsQuery } from './schemas.ts'
import { readOperation, readOperations } from './service.ts'

export const routes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get('/operations', {
    config: { ...rule('records:read') },
    schema: {
      operationId: operationId('listOperations'),
      tags: tags('Records'),
      summary: 'List your operations, newest first',
      description:
        'Large changes run as operations. Returns your own, kept for 30 days after their end, without their results.',
      querystring: OperationsQuery,
      response: { 200: OperationPage },
    },
    handler: (request) => readOperations(app.db, request.principal, request.query),
  })

  app.get('/operations/:id', {
    config: { ...rule('records:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('getOperation'),
      tags: tags('Records'),
      summary: 'Get the progress and result of an operation',
      description:
        'For the user who started it, and administrators. The operation has ended when `outcome` is not null. `result` and `problem` are hidden from users whose access to the domain has been reduced since.',
      params: IdParams,
      response: { 200: OperationAnswer },
    },
    handler: (request) => readOperation(app.db, request.principal, request.params.id),
  })
}
