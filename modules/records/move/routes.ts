import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { once } from '../../../plugins/http/idempotency/key.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { UPSTREAM_LIMIT } from '../../../plugins/security/rate-limit/rate-limit.ts'
import { AcceptedOperation } from '../../../schemas/operation.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { orAccepted } from '../../operations/contract.ts'
import { copyDomain } from './copy.ts'
import { CopyAnswer, CopyBody, SwitchAnswer, SwitchBody } from './schemas.ts'
import { switchDomain } from './switch.ts'

const upstream = {
  rateLimit: { ...UPSTREAM_LIMIT, groupId: 'upstream' },
  errors: [409, ...PROVIDER_ERRORS],
} as const

/** Routes that move domains from one provider to another, under /api and /api/v1. */
export const moveRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, tags, operationId } },
) => {
  app.post('/domains/:id/copy', {
    config: { ...rule('domains:write'), ...upstream },
    schema: {
      operationId: operationId('copyDomain'),
      tags: tags('Domains'),
      summary: 'Copy the records to another DNS provider, or plan it',
      description:
        'For the owner of the domain and administrators, with a provider connection that they may use. The domain stays at its current provider. Records that the other provider does not support are 409 with the first 100 `conflicts`, unless `skipRefused` leaves them out; TTLs change to the nearest supported one. NS at the apex and the SOA there stay. Another copy only adds what is missing. More than 1,000 changes continue as an operation (202).',
      params: IdParams,
      body: CopyBody,
      response: { 200: CopyAnswer, 202: AcceptedOperation },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const copy = () => copyDomain(app, caller, request.params.id, request.body)
      return orAccepted(reply, base, await once(caller, copy))
    },
  })

  app.post('/domains/:id/switch', {
    config: { ...rule('domains:write'), ...upstream },
    schema: {
      operationId: operationId('switchDomain'),
      tags: tags('Domains'),
      summary: 'Switch the domain to another DNS provider',
      description:
        'For the owner of the domain and administrators, with a provider connection that they may use. The domain keeps its history, permissions and settings, and the records keep their ids. Nothing changes at any provider. If the target zone differs from the domain, the answer is 409 `confirmation_required` with the first 100 `conflicts`, unless `force` is set. Pending changes are 409. The answer says what to set at the registrar.',
      params: IdParams,
      body: SwitchBody,
      response: { 200: SwitchAnswer },
    },
    handler: (request) => {
      const caller = callerOf(request)
      return once(caller, () => switchDomain(app, caller, request.params.id, request.body))
    },
  })
}
