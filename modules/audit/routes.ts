import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import { callerOf } from '../../plugins/security/access/index.ts'
import type { Audience } from '../../plugins/openapi/audience.ts'
import { exportAudit, listAudit } from './list.ts'
import { AuditPage, ExportQuery, ListQuery } from './schemas.ts'

const CSV_EXAMPLE =
  'id,at,actorId,actorName,ip,requestId,action,targetType,targetId,targetName,before,after,origin,tokenId,tokenName,tokenSuffix\r\n'

export const routes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { adminRule, tags, operationId } },
) => {
  app.get('/audit', {
    config: { ...adminRule('audit:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('listAudit'),
      tags: tags('Audit'),
      summary: 'Audit log, newest first',
      description:
        'For administrators. Each entry names the actor, origin, target and the values before and after. All filters must match. Entries never contain secrets.',
      querystring: ListQuery,
      response: { 200: AuditPage },
    },
    handler: (request) => listAudit(app.db, request.query),
  })

  app.get('/audit/export', {
    config: { ...adminRule('audit:read'), concurrencyLimit: true },
    schema: {
      operationId: operationId('exportAudit'),
      tags: tags('Audit'),
      summary: 'Export the audit log as CSV (RFC 4180), newest first',
      description:
        'Takes the filters of the list. Cells that a spreadsheet would read as a formula begin with an apostrophe. `before` and `after` are JSON. The export is itself logged.',
      querystring: ExportQuery,
      response: {
        200: {
          description: 'The entries',
          content: { 'text/csv': { schema: Type.String({ examples: [CSV_EXAMPLE] }) } },
        },
      },
    },
    handler: async (request, reply) => {
      const name = `audit-${new Date().toISOString().slice(0, 10)}.csv`
      const text: unknown = Readable.from(await exportAudit(app.db, callerOf(request), request.query))
      return (
        reply
          .header('content-disposition', `attachment; filename="${name}"`)
          .type('text/csv; charset=utf-8')
          // The schema describes the text; it goes out as a stream.
          .send(text as string)
      )
    },
  })
}
