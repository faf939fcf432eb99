import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { SoaAnswer, SoaBody } from '../schemas.ts'
import { changeSoa, readSoa } from './soa.ts'

export const soaRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get(
    '/domains/:id/soa',
    {
      config: { ...rule('domains:read'), errors: PROVIDER_ERRORS },
      schema: {
        operationId: operationId('getSoa'),
        tags: tags('Domains'),
        summary: 'The SOA of the zone, as the provider holds it now',
        description:
          'For everybody who sees the domain. Asks the DNS host now. 404 where the host shows no SOA.',
        params: IdParams,
        response: { 200: SoaAnswer },
      },
    },
    (request) => readSoa(app, callerOf(request), request.params.id),
  )

  app.put(
    '/domains/:id/soa',
    {
      config: { ifMatch: true, ...rule('domains:write'), errors: [409, ...PROVIDER_ERRORS] },
      schema: {
        operationId: operationId('updateSoa'),
        tags: tags('Domains'),
        summary: 'Change values of the SOA at the provider; those that are missing stay',
        description:
          'For who may write the whole domain. 409 where the host does not let its users change it (`capabilities.soa`). The host raises the serial, and the answer is the SOA as it then is.',
        params: IdParams,
        body: SoaBody,
        response: { 200: SoaAnswer },
      },
    },
    (request) => changeSoa(app, callerOf(request), request.params.id, request.body),
  )
}
