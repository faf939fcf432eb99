import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { Type } from '@sinclair/typebox'
import { once } from '../../../plugins/http/idempotency/key.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { AcceptedOperation } from '../../../schemas/operation.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { orAccepted } from '../../operations/contract.ts'
import { ImportZoneAnswer, ImportZoneBody, MAX_ZONEFILE_BYTES } from './schemas.ts'
import { exportZoneFile, importZoneFile } from './service.ts'

/** Routes that export a zone file and import one from a JSON body, under /api and /api/v1. */
export const importRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, tags, operationId } },
) => {
  app.get('/domains/:id/records/export', {
    config: { ...rule('records:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('exportZoneFile'),
      tags: tags('Records'),
      summary: 'Export the records as a BIND zone file',
      description:
        'A master file (RFC 1035) with the records that the caller sees. Disabled and unmanaged records are comments in it. The DNS provider is not asked.',
      params: IdParams,
      response: {
        200: {
          description: 'The zone file',
          content: { 'text/dns': { schema: Type.String({ examples: ['$ORIGIN example.com.\n'] }) } },
        },
      },
    },
    handler: async (request, reply) => {
      const { name, text } = await exportZoneFile(app, callerOf(request), request.params.id, {
        at: new Date(),
      })
      return reply
        .header('content-disposition', `attachment; filename="${name.replaceAll('/', '-')}.zone"`)
        .type('text/dns')
        .send(text)
    },
  })

  app.post('/domains/:id/records/import', {
    config: { ...rule('records:write'), errors: [409, ...PROVIDER_ERRORS] },
    bodyLimit: MAX_ZONEFILE_BYTES,
    schema: {
      operationId: operationId('importZoneFile'),
      tags: tags('Records'),
      summary: 'Import a zone file, or plan it with `dryRun`',
      description:
        'Needs write permission, with `dryRun` read permission. Applies nothing if a check refuses a record; applies a part if the provider fails between two calls (`retryChange` plans the rest). `replace` deletes records missing from the file that the caller may change. A file without records is 400, unless its plan was kept and is applied. A file with errors is 400 and names the lines; unmanaged records are in `skipped`. More than 1,000 changes continue as an operation (202).',
      params: IdParams,
      body: ImportZoneBody,
      response: { 200: ImportZoneAnswer, 202: AcceptedOperation },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request)
      const bringIn = () => importZoneFile(app, caller, request.params.id, request.body)
      return orAccepted(reply, base, await once(caller, bringIn))
    },
  })
}
