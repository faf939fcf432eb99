import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { changeDnssec, readDnssec } from './dnssec.ts'
import { DnssecAnswer, DnssecBody } from './dnssec-schemas.ts'

export const dnssecRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get(
    '/domains/:id/dnssec',
    {
      config: { ...rule('domains:read'), errors: PROVIDER_ERRORS },
      schema: {
        operationId: operationId('getDnssec'),
        tags: tags('Domains'),
        summary: 'Whether the zone is signed, and the DS for the zone above',
        description:
          'For everybody who sees the domain. Asks the DNS host now. 404 where the host shows nothing of DNSSEC (`capabilities.dnssec`).',
        params: IdParams,
        response: { 200: DnssecAnswer },
      },
    },
    (request) => readDnssec(app, callerOf(request), request.params.id),
  )

  app.put(
    '/domains/:id/dnssec',
    {
      config: { ifMatch: true, ...rule('domains:write'), errors: [409, ...PROVIDER_ERRORS] },
      schema: {
        operationId: operationId('updateDnssec'),
        tags: tags('Domains'),
        summary: 'Sign the zone by keys of the provider, or no longer',
        description:
          'For who may write the whole domain. After it is signed, `ds` belongs into the zone above, by its registrar; before it is signed no longer, the DS there must be gone for as long as its TTL, or nobody resolves the domain.',
        params: IdParams,
        body: DnssecBody,
        response: { 200: DnssecAnswer },
      },
    },
    (request) => changeDnssec(app, callerOf(request), request.params.id, request.body),
  )
}
