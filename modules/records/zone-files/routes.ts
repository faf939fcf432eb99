import { hash } from 'node:crypto'
import { isUtf8 } from 'node:buffer'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { callerOf } from '../../../plugins/security/access/index.ts'
import type { Audience } from '../../../plugins/openapi/audience.ts'
import { faultOf } from '../../../plugins/http/bodies.ts'
import { AppError, invalid } from '../../../plugins/http/errors.ts'
import { PROVIDER_ERRORS } from '../../../plugins/openapi/openapi.ts'
import { AcceptedOperation } from '../../../schemas/operation.ts'
import { IdParams } from '../../../schemas/scalars.ts'
import { orAccepted } from '../../operations/contract.ts'
import {
  ImportZoneAnswer,
  MAX_ZONEFILE_BYTES,
  PutZoneQuery,
  ZoneContent,
  ZoneHeaders,
  ZoneQuery,
} from './schemas.ts'
import { exportZoneFile, importZoneFile } from './service.ts'

/** Routes that read and write a zone as a file, for repositories, under /api and /api/v1. */
export const zoneFileRoutes: FastifyPluginAsyncTypebox<{ audience: Audience }> = async (
  app,
  { audience: { base, rule, tags, operationId } },
) => {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, (_request, bytes, done) => {
    if (!isUtf8(bytes)) return done(invalid({ path: '', code: 'not_utf8', message: 'is not UTF-8' }))
    const text = bytes.toString()
    const fault = faultOf(text)
    done(fault && invalid(fault), text)
  })

  // The server used to accept octoDNS YAML as well; the command line converts it now.
  app.addHook('preValidation', async ({ headers, query }) => {
    const { accept = '', 'content-type': type = '' } = headers
    const isYaml = (value: string) => value.includes('yaml') && !/text\/(dns|\*)|\*\/\*/.test(value)
    if ((query as { format?: string }).format === 'octodns' || isYaml(accept) || isYaml(type))
      throw new AppError(415, 'unsupported_media_type', OCTODNS)
  })

  app.get('/domains/:id/zone', {
    config: { ...rule('records:read'), concurrencyLimit: true, errors: [415] },
    schema: {
      operationId: operationId('getZone'),
      tags: tags('Records'),
      summary: 'Export the zone as a file',
      description:
        "A zone file (RFC 1035) of the records that the caller sees. Records that a zone file can't hold are in comments: disabled records, RRsets answered by line or weight, and types that are not managed. `; cf_tags=cf-proxied:true` marks a proxied record. Comments of records are not included. The same records are always the same text. `ETag` is for `If-Match` of `PUT`.",
      params: IdParams,
      querystring: ZoneQuery,
      response: { 200: { description: 'The zone', content: ZoneContent } },
    },
    handler: async (request, reply) => {
      const { text, version } = await exportZoneFile(app, callerOf(request), request.params.id)
      // If-Match compares the version; the hash distinguishes answers to callers with different permissions.
      // Weak, because the text may be sent compressed.
      const tag = `W/"${version}.${hash('sha256', text, 'base64url').slice(0, 16)}"`
      return reply.headers({ etag: tag }).type('text/dns').send(text)
    },
  })

  app.put('/domains/:id/zone', {
    config: { ifMatch: true, ...rule('records:write'), errors: [409, 412, ...PROVIDER_ERRORS] },
    bodyLimit: MAX_ZONEFILE_BYTES,
    schema: {
      operationId: operationId('putZone'),
      tags: tags('Records'),
      summary: 'Make the zone equal to a file, or plan it without `apply`',
      description:
        'An import in `replace` mode: deletes what the file lacks, including records that only the DNS provider holds, which is read first, as far as the caller may change them. Applies all changes or none. Without NS at the apex in the file, those of the zone stay. A repeated file gives an empty plan. A file with errors is 400 and names the lines. More than 1,000 changes continue as an operation (202). `applyAt` and `confirmWithin` count with `apply`.',
      params: IdParams,
      querystring: PutZoneQuery,
      headers: ZoneHeaders,
      body: { content: ZoneContent },
      response: { 200: ImportZoneAnswer, 202: AcceptedOperation },
    },
    handler: async (request, reply) => {
      const { format, apply, keep, ...later } = request.query
      if (format === undefined) requireZoneFile(request.headers['content-type'])
      const versions = versionsIn(request.headers['if-match'])
      const done = await importZoneFile(app, callerOf(request), request.params.id, {
        zonefile: (request.body as string | undefined) ?? '',
        mode: 'replace',
        isZone: true,
        dryRun: !apply,
        keep,
        ...later,
        ...(versions && { ifVersions: versions }),
      })
      return orAccepted(reply, base, done)
    },
  })
}

const OCTODNS =
  'The server does not convert octoDNS YAML; use the command line: zonekeeper export DOMAIN --output FILE.yaml, zonekeeper import DOMAIN FILE.yaml --replace'

function requireZoneFile(type = ''): void {
  if (/^text\/(dns|plain)\b/.test(type)) return
  const detail = 'Content-Type must be text/dns, or the query must have format=bind'
  throw new AppError(415, 'unsupported_media_type', detail)
}

/** Returns the versions in `If-Match`. Accepts weak tags, as compressing proxies make them; foreign tags match no version. */
function versionsIn(ifMatch: string | undefined): number[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined
  return ifMatch.split(',').map((tag) => Number(/^\s*(?:W\/)?"([0-9]{1,10})\./.exec(tag)?.[1] ?? -1))
}
