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

/** Domains go from one provider to another: under /api and under /api/v1. */
export const moveRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, tags, operationId } },
) => {
  app.post(
    '/domains/:id/copy',
    {
      config: { ...rule('domains:write'), ...upstream },
      schema: {
        operationId: operationId('copyDomain'),
        tags: tags('Domains'),
        summary: 'Bring the records to another provider, or say what that would do',
        description:
          "For the owner of the domain and administrators, with a configuration that they may use. The domain stays where it is. What the provider can't hold is 409 with `conflicts`, of which an answer names the first 100, until `skipRefused` leaves it out; TTLs are brought to the nearest that it takes. NS at the apex and the SOA there stay. Another copy does only what is not there yet. More than 1,000 changes go on as an operation (202).",
        params: IdParams,
        body: CopyBody,
        response: { 200: CopyAnswer, 202: AcceptedOperation },
      },
    },
    async (request, reply) => {
      const caller = callerOf(request)
      const copy = () => copyDomain(app, caller, request.params.id, request.body)
      return orAccepted(reply, base, await once(caller, copy))
    },
  )

  app.post(
    '/domains/:id/switch',
    {
      config: { ...rule('domains:write'), ...upstream },
      schema: {
        operationId: operationId('switchDomain'),
        tags: tags('Domains'),
        summary: 'Have the domain served from another provider from now on',
        description:
          'For the owner of the domain and administrators, with a configuration that they may use. The domain keeps its history, assignments and settings, and the records their ids. Nothing is changed at any provider. A zone there that does not hold what the domain holds is 409 `confirmation_required` with the first 100 `conflicts`, until `force` is set. Changes that are not settled are 409. The answer says what to set at the registrar.',
        params: IdParams,
        body: SwitchBody,
        response: { 200: SwitchAnswer },
      },
    },
    (request) => {
      const caller = callerOf(request)
      return once(caller, () => switchDomain(app, caller, request.params.id, request.body))
    },
  )
}
