import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../plugins/access/index.ts'
import { PROVIDER_ERRORS } from '../../plugins/openapi.ts'
import { IdParams } from '../../schemas/scalars.ts'
import { SoaAnswer, SoaBody } from './schemas.ts'
import { changeSoa, readSoa } from './soa.ts'

const tags = ['Domains']

export const soaRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/domains/:id/soa',
    {
      config: { access: 'user', errors: PROVIDER_ERRORS },
      schema: {
        operationId: 'getSoa',
        tags,
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
      config: { access: 'user', errors: [409, ...PROVIDER_ERRORS] },
      schema: {
        operationId: 'updateSoa',
        tags,
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
