import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { readJson } from '../../../plugins/http/bodies.ts'
import { AppError } from '../../../plugins/http/errors.ts'
import { Changes, Endpoints, EndpointsContent, FilterContent, MAX_BYTES, MEDIA_TYPE } from './schemas.ts'
import { adjustEndpoints, writeEndpoints, domainFilter, readEndpoints } from './service.ts'

const tags = ['Open API', 'external-dns']
/** New versions of external-dns add fields, and probes may add parameters. */
const ignoresUnknown = 'newer versions of external-dns send more'
const config = {
  access: 'api',
  permission: 'records:write',
  basic: true,
  origin: 'external-dns',
  ignoresUnknown,
} as const

/** Sent as bytes: Fastify would add a charset to the type of a text, which external-dns does not accept. */
const send = (reply: FastifyReply, answer: object) =>
  reply.type(MEDIA_TYPE).send(Buffer.from(JSON.stringify(answer)))

/** The external-dns webhook, version 1 of its protocol. */
export const routes: FastifyPluginAsyncTypebox = async (app) => {
  readJson(app, MEDIA_TYPE.split(';', 1).join())

  // external-dns retries 5xx in the next round, and exits on any other error, even a temporary one.
  app.setErrorHandler((error: Error) => {
    if (!(error instanceof AppError) || (error.status !== 429 && error.status !== 409)) throw error
    throw new AppError(503, 'unavailable', error.message, { headers: error.headers, cause: error })
  })

  app.get('/', {
    config,
    schema: {
      operationId: 'v1NegotiateExternalDns',
      tags,
      summary: 'Names managed by external-dns',
      description:
        'The names the token may write. Returns 403 if the token may write nowhere, because an empty filter would mean all names.',
      response: { 200: { description: 'The filter', ...FilterContent } },
    },
    handler: async (request, reply) => send(reply, await domainFilter(app, callerOf(request))),
  })

  app.get('/records', {
    config: { ...config, concurrencyLimit: true },
    schema: {
      operationId: 'v1GetExternalDnsRecords',
      tags,
      summary: 'Records as external-dns endpoints',
      description:
        'All active records visible to the token in domains where it may write: one endpoint for each name and type. RRsets answered by line or weight are not included. At most 5,000 domains and 100,000 records.',
      response: { 200: { description: 'The endpoints', ...EndpointsContent } },
    },
    handler: async (request, reply) => send(reply, await readEndpoints(app, callerOf(request))),
  })

  app.post('/adjustendpoints', {
    config: { ...config, errors: [503] },
    bodyLimit: MAX_BYTES,
    schema: {
      operationId: 'v1AdjustExternalDnsEndpoints',
      tags,
      summary: 'Normalize endpoints',
      description:
        'Returns endpoints as they would be read after being stored: canonical values, TTLs within the limits of the DNS provider, no set identifiers, and no provider-specific settings except proxying. Changes nothing.',
      consumes: [MEDIA_TYPE],
      body: Endpoints,
      response: { 200: { description: 'The endpoints', ...EndpointsContent } },
    },
    handler: async (request, reply) =>
      send(reply, await adjustEndpoints(app, callerOf(request), request.body)),
  })

  app.post('/records', {
    config: { ...config, errors: [503] },
    bodyLimit: MAX_BYTES,
    schema: {
      operationId: 'v1ApplyExternalDnsChanges',
      tags,
      summary: 'Apply changes planned by external-dns',
      description:
        'Applies one change per domain. A name that cannot be changed is skipped together with its TXT record, and all others are applied. 500 `changes_failed` lists the rest in `failures`; repeating the request applies only that. Values not named in the request stay.',
      consumes: [MEDIA_TYPE],
      body: Changes,
      response: { 204: Type.Null({ description: 'All changes are applied' }) },
    },
    handler: async (request, reply) => {
      await writeEndpoints(app, callerOf(request), request.body)
      return reply.code(204).send(null)
    },
  })

  app.get('/healthz', {
    config: { access: 'public', rateLimit: false, ignoresUnknown },
    schema: {
      operationId: 'v1GetExternalDnsHealth',
      tags,
      summary: 'Health of the webhook',
      description: 'For a probe, like `/healthz` of the service. Needs no token and has no rate limit.',
      response: { 200: Type.Object({ status: Type.String({ examples: ['ok'] }) }) },
    },
    handler: async () => ({ status: 'ok' }),
  })
}
