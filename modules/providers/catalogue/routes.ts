import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { listRecordTypes } from './record-types.ts'
import { RecordTypes } from './schemas.ts'

export const recordTypeRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { rule, tags, operationId } },
) => {
  app.get(
    '/record-types',
    {
      config: { ...rule('records:read') },
      schema: {
        operationId: operationId('listRecordTypes'),
        tags: tags('Records'),
        summary: 'The record types: their fields, and who can hold them',
        description:
          'Enough to draw a form for each type: what `value` looks like, the fields that `data` has, in their order, and which of the kinds of DNS hosts and of the configurations that the caller sees can hold it. Other types are written as `TYPE65534`, with their data as bytes (RFC 3597), where `otherTypes` of the host says so.',
        response: { 200: RecordTypes },
      },
    },
    (request) => listRecordTypes(app, callerOf(request)),
  )
}
