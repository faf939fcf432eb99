import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../plugins/access/index.ts'
import type { Audience } from '../../plugins/audience.ts'
import { once } from '../../plugins/idempotency-key.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { TransferBody } from './schemas.ts'
import { transferDomain } from './transfer.ts'

export const transferRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.post(
    '/domains/:id/transfer',
    {
      config: { ...rule('domains:write'), errors: [409] },
      schema: {
        operationId: operationId('transferDomain'),
        tags: tags('Domains'),
        summary: 'Give a domain to another user; for its owner and administrators',
        description:
          'The new owner has all rights on it at once, and who had it keeps none but those of assignments. The provider configuration stays whose it is.',
        params: IdParams,
        body: TransferBody,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      await once(caller, () => transferDomain(app, caller, request.params.id, request.body))
      return reply.code(204).send(null)
    },
  )
}
