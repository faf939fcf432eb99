import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { changeDnssec, readDnssec } from './dnssec.ts'
import { DnssecAnswer, DnssecBody, SoaAnswer, SoaBody } from './schemas.ts'
import { changeSoa, readSoa } from './soa.ts'

export const zoneSettingsRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get('/domains/:id/soa', {
    config: { ...rule('domains:read'), errors: PROVIDER_ERRORS },
    schema: {
      operationId: operationId('getSoa'),
      tags: tags('Domains'),
      summary: 'Current SOA of the zone at the provider',
      description:
        'Requires access to the domain. Queries the DNS provider directly. 404 if the provider does not show the SOA.',
      params: IdParams,
      response: { 200: SoaAnswer },
    },
    handler: (request) => readSoa(app, callerOf(request), request.params.id),
  })

  app.put('/domains/:id/soa', {
    config: { ifMatch: true, ...rule('domains:write'), errors: [409, ...PROVIDER_ERRORS] },
    schema: {
      operationId: operationId('updateSoa'),
      tags: tags('Domains'),
      summary: 'Change SOA values at the provider',
      description:
        'Requires write permission on the whole domain. Omitted values stay unchanged. 409 if the provider does not support it (`capabilities.soa`). The provider increases the serial; the response is the resulting SOA.',
      params: IdParams,
      body: SoaBody,
      response: { 200: SoaAnswer },
    },
    handler: (request) => changeSoa(app, callerOf(request), request.params.id, request.body),
  })

  app.get('/domains/:id/dnssec', {
    config: { ...rule('domains:read'), errors: PROVIDER_ERRORS },
    schema: {
      operationId: operationId('getDnssec'),
      tags: tags('Domains'),
      summary: 'DNSSEC status and DS records of the zone',
      description:
        'Requires access to the domain. Queries the DNS provider directly. 404 if the provider does not show DNSSEC (`capabilities.dnssec`).',
      params: IdParams,
      response: { 200: DnssecAnswer },
    },
    handler: (request) => readDnssec(app, callerOf(request), request.params.id),
  })

  app.put('/domains/:id/dnssec', {
    config: { ifMatch: true, ...rule('domains:write'), errors: [409, ...PROVIDER_ERRORS] },
    schema: {
      operationId: operationId('updateDnssec'),
      tags: tags('Domains'),
      summary: 'Enable or disable DNSSEC signing at the provider',
      description:
        'Requires write permission on the whole domain. After enabling, publish `ds` in the parent zone through the registrar. Before disabling, remove the DS from the parent zone and wait for its TTL; otherwise the domain stops resolving.',
      params: IdParams,
      body: DnssecBody,
      response: { 200: DnssecAnswer },
    },
    handler: (request) => changeDnssec(app, callerOf(request), request.params.id, request.body),
  })
}
