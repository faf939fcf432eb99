import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { listRecordTypes } from './record-types.ts'
import { RecordTypes } from './schemas.ts'

export const recordTypeRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get('/record-types', {
    config: { ...rule('records:read') },
    schema: {
      operationId: operationId('listRecordTypes'),
      tags: tags('Records'),
      summary: 'List record types with their fields and supporting providers',
      description:
        "Enough to generate a form for each type: the format of `value`, the fields of `data` in order, and which kinds of DNS providers and which of the caller's connections support it. Other types are written as `TYPE65534`, with their data as bytes (RFC 3597), if the provider has `otherTypes`.",
      response: { 200: RecordTypes },
    },
    handler: (request) => listRecordTypes(app, callerOf(request)),
  })
}
