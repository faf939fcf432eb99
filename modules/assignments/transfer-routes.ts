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
  app.post('/domains/:id/transfer', {
    config: { ...rule('domains:write'), errors: [409] },
    schema: {
      operationId: operationId('transferDomain'),
      tags: tags('Domains'),
      summary: 'Transfer a domain to another user',
      description:
        "For the owner and administrators. An owner's transfer is an offer (202): the other user owns the domain after accepting it within 7 days. A domain can have one pending offer (409 `transfer_pending`). An administrator's transfer takes effect immediately (204) and withdraws a pending offer. The new owner has all permissions; the previous owner keeps only separately granted ones. The provider configuration keeps its owner. Both users are notified.",
      params: IdParams,
      body: TransferBody,
      response: { 202: ref(DomainTransfer), 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const offer = await once(caller, () => transferDomain(app, caller, request.params.id, request.body))
      if (offer === null) return reply.code(204).send(null)
      return reply.code(202).header('location', `${base}/domains/transfers/${offer.id}`).send(offer)
    },
  })

  app.get('/domains/transfers', {
    config: { ...accountRule('domains:read') },
    schema: {
      operationId: operationId('listDomainTransfers'),
      tags: tags('Domains'),
      summary: 'Transfer offers, newest first: all for administrators, otherwise those you made or received',
      description:
        'Includes ended offers for 90 days. `status=pending` lists open ones. All filters must match.',
      querystring: TransferQuery,
      response: { 200: TransferPage },
    },
    handler: (request) => listVisibleTransfers(app, callerOf(request), request.query),
  })

  app.get('/domains/transfers/:id', {
    config: { ...accountRule('domains:read') },
    schema: {
      operationId: operationId('getDomainTransfer'),
      tags: tags('Domains'),
      summary: 'A transfer offer',
      description: 'For both users and administrators; 404 for others.',
      params: IdParams,
      response: { 200: ref(DomainTransfer) },
    },
    handler: (request) => readTransfer(app, callerOf(request), request.params.id),
  })

  for (const { action, summary, description, work } of ACTIONS) {
    app.post(`/domains/transfers/:id/${action}`, {
      config: { ...accountRule('domains:write'), errors: [409] },
      schema: {
        operationId: operationId(`${action}DomainTransfer`),
        tags: tags('Domains'),
        summary,
        description,
        params: IdParams,
        response: { 200: ref(DomainTransfer) },
      },
      handler: (request) => {
        const caller = callerOf(request)
        return once(caller, () => work(app, caller, request.params.id))
      },
    })
  }
}

const ACTIONS = [
  {
    action: 'accept',
    summary: 'Accept a transfer offer',
    description:
      'For the receiver, who then owns the domain. 409 `transfer_ended` if the offer is no longer pending. Both users are notified.',
    work: acceptTransfer,
  },
  {
    action: 'decline',
    summary: 'Decline a transfer offer',
    description:
      'For the receiver. 409 `transfer_ended` if the offer is no longer pending. Both users are notified.',
    work: declineTransfer,
  },
  {
    action: 'withdraw',
    summary: 'Withdraw a transfer offer',
    description:
      'For the user who made it and administrators. 409 `transfer_ended` if the offer is no longer pending. Both users are notified.',
    work: withdrawTransfer,
  },
] as const
