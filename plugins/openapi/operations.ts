import type { FastifySchema, RouteOptions } from 'fastify'
import { ignoredMembers, resourceOf, type SharedSchemas } from '../http/validation/known-names.ts'
import { exampleOf, type JsonSchema } from './examples.ts'
import { problemExample, problemSchema } from './problems.ts'
import { securityOf } from './security.ts'
import { shown, withoutNull } from './shapes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Error statuses of this route, in addition to those that follow from its shape. */
    errors?: readonly number[]
    /** Schema of this route's problems, where they have further members. */
    problem?: object
  }
}

const DESCRIPTIONS: Record<number, string> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'Done; no body',
  304: 'Not modified: the ETag matches `If-None-Match`; no body',
  400: 'Invalid request; `errors` lists the fields',
  401: 'Not signed in, or the token is no longer valid',
  403: 'Not allowed',
  404: 'Not found, or not visible to the caller',
  409: 'Conflicts with the current state',
  412: '`If-Match` does not match the current version',
  413: 'The body is too large',
  415: 'The body is not JSON',
  429: 'Too many requests; wait for `Retry-After`',
  500: 'Internal error',
  502: 'The DNS provider rejected the request or returned an unexpected response',
  503: 'A dependency is temporarily unavailable',
  504: 'The DNS provider did not respond in time',
}

/**
 * Adds security and the error responses that follow from its shape to a route's schema. Only for the description:
 * compiling serializers for all these responses would take most of the start.
 */
export function described(schema: FastifySchema, route: RouteOptions, shared: SharedSchemas): FastifySchema {
  const { config } = route
  if (config?.access === undefined) return schema
  const isPublic = config.access === 'public'
  const statuses = [
    ...(schema.body || schema.querystring || schema.params ? [400] : []),
    ...(isPublic ? [] : [401, 403]),
    ...(schema.params ? [404] : []),
    ...(schema.body ? [413, 415] : []),
    // Malformed keys, and keys of another request.
    ...(supportsIdempotencyKey(route) ? [400, 409] : []),
    ...(config.rateLimit === false ? [] : [429]),
    500,
    ...(config.ifMatch === true ? [412] : []),
    ...(config.errors ?? []),
  ]
  const problems = statuses.map((status) => [
    status,
    {
      description: DESCRIPTIONS[status],
      content: { 'application/problem+json': { schema: config.problem ?? problemSchema(status) } },
    },
  ])
  const answers = Object.entries((schema.response ?? {}) as Record<string, object>).map(([status, body]) => [
    status,
    { description: DESCRIPTIONS[Number(status)] ?? 'OK', ...shown(body) },
  ])
  return {
    ...schema,
    ...requestOf(schema),
    description: [schema.description, ...furtherWords(schema, route, shared)].join(' '),
    security: securityOf(config.access, config),
    response: { ...Object.fromEntries(problems), ...Object.fromEntries(answers) } as Record<string, unknown>,
  }
}

/** Sentences that follow from the route's configuration. */
function furtherWords(schema: FastifySchema, route: RouteOptions, shared: SharedSchemas): string[] {
  const { permission, ignoresUnknown } = route.config ?? {}
  const resource = resourceOf(route)
  const ignored = resource && schema.body ? ignoredMembers(schema.body, resource, shared) : []
  return [
    ...(ignored.length > 0
      ? [`Ignored when sent back: ${ignored.map((name) => `\`${name}\``).join(', ')}.`]
      : []),
    ...(ignoresUnknown === undefined ? [] : [`Ignores unknown parameters and members: ${ignoresUnknown}.`]),
    ...(permission ? [`Personal tokens need the permission \`${permission}\`.`] : []),
  ]
}

/** Whether the route supports `Idempotency-Key`. */
export const supportsIdempotencyKey = ({
  method,
  config,
}: Pick<RouteOptions, 'method' | 'config'>): boolean =>
  method === 'POST' && config?.access !== 'public' && config?.secretAnswer !== true

/** Describes the parts of a request that may have defaults. */
function requestOf({ body, querystring, headers }: FastifySchema): FastifySchema {
  const parts = Object.entries({ body, querystring, headers }).filter(([, part]) => part !== undefined)
  return Object.fromEntries(parts.map(([name, part]) => [name, defaultsOptional(shown(part as JsonSchema))]))
}

/**
 * Makes fields with defaults optional, as senders see them. TypeBox lists them as required, since handlers always find
 * them. Leaves out `anyOf`, where validation fills in no defaults.
 */
function defaultsOptional(schema: JsonSchema): JsonSchema {
  const { properties, required, items, oneOf } = schema
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, defaultsOptional(property)]),
      ),
    }),
    ...(required && { required: required.filter((name) => properties?.[name]?.default === undefined) }),
    ...(items && { items: defaultsOptional(items) }),
    ...(oneOf && { oneOf: oneOf.map(defaultsOptional) }),
  }
}

interface MediaType {
  schema?: JsonSchema
  example?: unknown
}

interface Operation {
  operationId?: string
  parameters?: object[]
  requestBody?: { required?: boolean; content?: Record<string, MediaType> }
  responses?: Record<string, { description?: string; headers?: object; content?: Record<string, MediaType> }>
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A request with the same key within 24 h returns the first response and changes nothing',
  schema: { type: 'string', minLength: 1, maxLength: 200, examples: ['7f0c2b9e-order-1'] },
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  description: '`ETag` of the expected version of the resource; 412 if it has changed since',
  schema: { type: 'string', maxLength: 1000, examples: ['W/"5vQkX0rT"'] },
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description: '`ETag` of a cached response; 304 without a body if it is still current',
  schema: { type: 'string', maxLength: 1000, examples: ['W/"5vQkX0rT"'] },
}

const ETAG = {
  etag: {
    description:
      'Version of this response, for `If-None-Match`, and for `If-Match` of writes that support it',
    schema: { type: 'string', examples: ['W/"5vQkX0rT"'] },
  },
}

const RETRY_AFTER = {
  'retry-after': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
}

/** Response headers by status. */
const HEADERS: Record<string, object> = {
  304: ETAG,
  201: {
    location: {
      description: 'URL of the new resource',
      schema: { type: 'string', format: 'uri-reference' },
    },
  },
  401: {
    'www-authenticate': {
      description:
        '`Bearer`; with `error="invalid_token"` if the request had an invalid token (RFC 6750). ' +
        '`Basic` if the route supports HTTP Basic',
      schema: { type: 'string', examples: ['Bearer error="invalid_token"'] },
    },
  },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
}

/** Operation ids by what their routes support. */
export interface Traits {
  repeatable: ReadonlySet<string>
  conditional: ReadonlySet<string>
  untagged: ReadonlySet<string>
}

/** Adds the headers and parameters that many operations share, and an example to each body, built from its fields. */
export function completed<T extends object>(document: T, { repeatable, conditional, untagged }: Traits): T {
  const { paths = {}, components } = document as {
    paths?: Record<string, Record<string, Operation>>
    components?: { schemas?: Record<string, JsonSchema> }
  }
  const schemas = components?.schemas ?? {}
  for (const [method, operation] of Object.values(paths).flatMap((path) => Object.entries(path))) {
    const { operationId = '', requestBody, responses = {} } = operation
    if (method === 'get' && isTagged(responses) && !untagged.has(operationId)) {
      ;(operation.parameters ??= []).push(IF_NONE_MATCH)
      responses[304] = { description: DESCRIPTIONS[304] ?? '' }
      responses[200] = { ...responses[200], headers: ETAG }
    }
    if (conditional.has(operationId) && !isDescribed(operation.parameters)) {
      ;(operation.parameters ??= []).push(IF_MATCH)
    }
    if (repeatable.has(operationId)) (operation.parameters ??= []).push(IDEMPOTENCY_KEY)
    if (requestBody) {
      addExamples(requestBody.content, schemas)
      requestBody.required = !mayBeMissing(requestBody.content)
      // A missing body differs from the body `null`.
      for (const media of Object.values(requestBody.content ?? {})) {
        if (media.schema?.type?.includes('null')) media.schema = withoutNull(media.schema)
      }
    }
    for (const [status, response] of Object.entries(responses)) {
      addExamples(response.content, schemas, status)
      if (HEADERS[status]) response.headers = { ...HEADERS[status], ...response.headers }
    }
  }
  return document
}

/** A route describes `If-Match` itself where it accepts more than an ETag. */
const isDescribed = (parameters: readonly { name?: string }[] = []) =>
  parameters.some(({ name }) => name === 'if-match')

/** JSON responses have an ETag. */
const isTagged = (responses: NonNullable<Operation['responses']>) =>
  responses[200]?.content?.['application/json'] !== undefined

const mayBeMissing = (content: Record<string, MediaType> = {}) =>
  Object.values(content).some(({ schema }) => schema?.type?.includes('null') === true)

function addExamples(
  content: Record<string, MediaType> | undefined,
  schemas: Record<string, JsonSchema>,
  status?: string,
): void {
  for (const [type, media] of Object.entries(content ?? {})) {
    if (!media.schema) continue
    media.example ??=
      type === 'application/problem+json' ? problemExample(Number(status)) : exampleOf(media.schema, schemas)
  }
}
