import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { once } from '../../plugins/http/idempotency/key.ts'
import { ref } from '../../schemas/ref.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { DomainTransfer, TransferBody, TransferPage, TransferQuery } from './transfer-schemas.ts'
import {
  acceptTransfer,
  declineTransfer,
  listVisibleTransfers,
  readTransfer,
  transferDomain,
  withdrawTransfer,
} from './transfer.ts'

export const transferRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, accountRule, tags, operationId } },
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
          'By its owner it is offered (202): the other user owns it once they accept, within 7 days. One offer of a domain is pending at a time (409 `transfer_pending`). By an administrator it is given at once (204), and a pending offer is withdrawn. The new owner has all rights, and who had it keeps none but those of assignments. The provider configuration stays whose it is. Both are notified.',
        params: IdParams,
        body: TransferBody,
        response: { 202: ref(DomainTransfer), 204: Type.Null() },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const offer = await once(caller, () => transferDomain(app, caller, request.params.id, request.body))
      if (offer === null) return reply.code(204).send(null)
      return reply.code(202).header('location', `${base}/domains/transfers/${offer.id}`).send(offer)
    },
  )

  app.get(
    '/domains/transfers',
    {
      config: { ...accountRule('domains:read') },
      schema: {
        operationId: operationId('listDomainTransfers'),
        tags: tags('Domains'),
        summary: 'Offered transfers, newest first: all for administrators, else those given or received',
        description:
          'Also those that have ended, for 90 days. `status=pending` are those that wait. Filters add up.',
        querystring: TransferQuery,
        response: { 200: TransferPage },
      },
    },
    (request) => listVisibleTransfers(app, callerOf(request), request.query),
  )

  app.get(
    '/domains/transfers/:id',
    {
      config: { ...accountRule('domains:read') },
      schema: {
        operationId: operationId('getDomainTransfer'),
        tags: tags('Domains'),
        summary: 'One offered transfer',
        description: 'For who offers and who receives it, and for administrators; for others it is 404.',
        params: IdParams,
        response: { 200: ref(DomainTransfer) },
      },
    },
    (request) => readTransfer(app, callerOf(request), request.params.id),
  )

  for (const { action, summary, description, work } of ACTIONS) {
    app.post(
      `/domains/transfers/:id/${action}`,
      {
        config: { ...accountRule('domains:write'), errors: [409] },
        schema: {
          operationId: operationId(`${action}DomainTransfer`),
          tags: tags('Domains'),
          summary,
          description,
          params: IdParams,
          response: { 200: ref(DomainTransfer) },
        },
      },
      (request) => {
        const caller = callerOf(request)
        return once(caller, () => work(app, caller, request.params.id))
      },
    )
  }
}

const ACTIONS = [
  {
    action: 'accept',
    summary: 'Take an offered domain',
    description:
      'For its receiver, who from then on has all rights on it. 409 `transfer_ended` when the offer is no longer pending. Both are notified.',
    work: acceptTransfer,
  },
  {
    action: 'decline',
    summary: 'Refuse an offered domain',
    description:
      'For its receiver. 409 `transfer_ended` when the offer is no longer pending. Both are notified.',
    work: declineTransfer,
  },
  {
    action: 'withdraw',
    summary: 'Take the offer of a domain back',
    description:
      'For who offered it and administrators. 409 `transfer_ended` when the offer is no longer pending. Both are notified.',
    work: withdrawTransfer,
  },
] as const
