import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'
import { callerOf } from '../../../plugins/security/access/index.ts'
import { readJson } from '../../../plugins/http/bodies.ts'
import { AppError } from '../../../plugins/http/errors.ts'
import { Changes, Endpoints, EndpointsContent, FilterContent, MAX_BYTES, MEDIA_TYPE } from './schemas.ts'
import { adjustEndpoints, writeEndpoints, domainFilter, readEndpoints } from './service.ts'

const tags = ['Open API', 'external-dns']
/** Members come with versions of external-dns, and probes may have parameters. */
const ignoresUnknown = 'newer versions of external-dns send more'
const config = {
  access: 'api',
  permission: 'records:write',
  basic: true,
  origin: 'external-dns',
  ignoresUnknown,
} as const

/** As bytes: to the type of a text Fastify would add a charset, and external-dns would not know it. */
const send = (reply: FastifyReply, answer: object) =>
  reply.type(MEDIA_TYPE).send(Buffer.from(JSON.stringify(answer)))

/** The webhook of external-dns, as version 1 of its protocol has it. */
export const routes: FastifyPluginAsyncTypebox = async (app) => {
  readJson(app, MEDIA_TYPE.split(';', 1).join())

  // 5xx is tried again in the next round; of all else external-dns ends, also of what would pass by itself.
  app.setErrorHandler((error: Error) => {
    if (!(error instanceof AppError) || (error.status !== 429 && error.status !== 409)) throw error
    throw new AppError(503, 'unavailable', error.message, { headers: error.headers, cause: error })
  })

  app.get(
    '/',
    {
      config,
      schema: {
        operationId: 'v1NegotiateExternalDns',
        tags,
        summary: 'The names that external-dns is to look after',
        description:
          'Those that the token may write. With none it is 403, as an empty filter would mean all names.',
        response: { 200: { description: 'The filter', ...FilterContent } },
      },
    },
    async (request, reply) => send(reply, await domainFilter(app, callerOf(request))),
  )

  app.get(
    '/records',
    {
      config: { ...config, concurrencyLimit: true },
      schema: {
        operationId: 'v1GetExternalDnsRecords',
        tags,
        summary: 'The records, as endpoints of external-dns',
        description:
          'All that are served in domains of which the token may write some, as it sees them: one endpoint for each name and type. Sets that are answered by line or weight are not among them. At most 5,000 domains and 100,000 records.',
        response: { 200: { description: 'The endpoints', ...EndpointsContent } },
      },
    },
    async (request, reply) => send(reply, await readEndpoints(app, callerOf(request))),
  )

  app.post(
    '/adjustendpoints',
    {
      config: { ...config, errors: [503] },
      bodyLimit: MAX_BYTES,
      schema: {
        operationId: 'v1AdjustExternalDnsEndpoints',
        tags,
        summary: 'Endpoints as they will be read once they are stored',
        description:
          'Values in their canonical form, TTLs that the DNS host takes; without set identifiers, and of what is specific to providers only whether the name is proxied. Nothing is changed.',
        consumes: [MEDIA_TYPE],
        body: Endpoints,
        response: { 200: { description: 'The endpoints', ...EndpointsContent } },
      },
    },
    async (request, reply) => send(reply, await adjustEndpoints(app, callerOf(request), request.body)),
  )

  app.post(
    '/records',
    {
      config: { ...config, errors: [503] },
      bodyLimit: MAX_BYTES,
      schema: {
        operationId: 'v1ApplyExternalDnsChanges',
        tags,
        summary: 'Make the changes that external-dns has planned',
        description:
          'Each domain in one change; a name that can not be changed is left out with its TXT record, and all others are done. 500 `changes_failed` names what was not done in `failures`; the same again does only that. Values that the change does not name stay.',
        consumes: [MEDIA_TYPE],
        body: Changes,
        response: { 204: Type.Null({ description: 'All is done' }) },
      },
    },
    async (request, reply) => {
      await writeEndpoints(app, callerOf(request), request.body)
      return reply.code(204).send(null)
    },
  )

  app.get(
    '/healthz',
    {
      config: { access: 'public', rateLimit: false, ignoresUnknown },
      schema: {
        operationId: 'v1GetExternalDnsHealth',
        tags,
        summary: 'Whether the webhook answers',
        description: 'As `/healthz` of the service: for a probe. Open to anybody and not limited.',
        response: { 200: Type.Object({ status: Type.String({ examples: ['ok'] }) }) },
      },
    },
    async () => ({ status: 'ok' }),
  )
}
