import type { FastifySchema, RouteOptions } from 'fastify'
import { ignoredMembers, resourceOf, type SharedSchemas } from '../http/validation/known-names.ts'
import { exampleOf, type JsonSchema } from './examples.ts'
import { problemExample, problemSchema } from './problems.ts'
import { defaultsOptional } from './requests.ts'
import { securityOf } from './security.ts'
import { shown, withoutNull } from './shapes.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Error statuses of this route beside those that follow from its shape. */
    errors?: readonly number[]
    /** Schema of the problems of this route, where they say more than those of others. */
    problem?: object
  }
}

const DESCRIPTIONS: Record<number, string> = {
  200: 'Done',
  201: 'Created',
  202: 'Accepted',
  204: 'Done; no body',
  304: 'The same as the one with the tag of `If-None-Match`; no body',
  400: 'Something in the request is wrong; `errors` names the fields',
  401: 'Not signed in, or the token does not count any more',
  403: 'Not allowed',
  404: 'Not there, or not visible to the caller',
  409: 'In conflict with what is there',
  412: 'Not the version that `If-Match` names',
  413: 'The body is too large',
  415: 'The body is not JSON',
  429: 'Too many requests; `Retry-After` says when to go on',
  500: 'A fault of the service',
  502: 'The DNS provider refused, or answered what it should not',
  503: 'Something the answer needs is away for the moment',
  504: 'The DNS provider did not answer in time',
}

/**
 * The schema of a route with its security and the error answers that follow from its shape. Only for the
 * description: as serialisers those answers, the same on every route, would cost most of the start.
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
    // A key of another form, or of another request.
    ...(heedsKey(route) ? [400, 409] : []),
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
    { description: DESCRIPTIONS[Number(status)] ?? 'Done', ...shown(body) },
  ])
  return {
    ...schema,
    ...requestOf(schema),
    description: [schema.description, ...furtherWords(schema, route, shared)].join(' '),
    security: securityOf(config.access, config),
    response: { ...Object.fromEntries(problems), ...Object.fromEntries(answers) } as Record<string, unknown>,
  }
}

/** What follows from how the route is set up. */
function furtherWords(schema: FastifySchema, route: RouteOptions, shared: SharedSchemas): string[] {
  const { permission, ignoresUnknown } = route.config ?? {}
  const resource = resourceOf(route)
  const ignored = resource && schema.body ? ignoredMembers(schema.body, resource, shared) : []
  return [
    ...(ignored.length > 0
      ? [`Ignored when sent back: ${ignored.map((name) => `\`${name}\``).join(', ')}.`]
      : []),
    ...(ignoresUnknown === undefined ? [] : [`Ignores unknown parameters and members: ${ignoresUnknown}.`]),
    ...(permission ? [`Permission of a personal token: \`${permission}\`.`] : []),
  ]
}

/** Whether a repeat with the same `Idempotency-Key` gets the first answer. */
export const heedsKey = ({ method, config }: Pick<RouteOptions, 'method' | 'config'>): boolean =>
  method === 'POST' && config?.access !== 'public' && config?.secretAnswer !== true

/** The parts of a request that may have defaults. */
function requestOf({ body, querystring, headers }: FastifySchema): FastifySchema {
  const parts = Object.entries({ body, querystring, headers }).filter(([, part]) => part !== undefined)
  return Object.fromEntries(parts.map(([name, part]) => [name, defaultsOptional(shown(part as JsonSchema))]))
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
  description: 'A repeat with the same key within 24 h gets the first answer and does nothing again',
  schema: { type: 'string', minLength: 1, maxLength: 200, examples: ['7f0c2b9e-order-1'] },
}

const IF_MATCH = {
  name: 'If-Match',
  in: 'header',
  description: 'The `ETag` of the resource that the write is meant for: 412 when it has changed since',
  schema: { type: 'string', maxLength: 1000, examples: ['W/"5vQkX0rT"'] },
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'The `ETag` of an answer that is there already: while it is the same, the answer is 304 without a body',
  schema: { type: 'string', maxLength: 1000, examples: ['W/"5vQkX0rT"'] },
}

const ETAG = {
  etag: {
    description: 'Of this very answer, for `If-None-Match`, and for `If-Match` of writes that take it',
    schema: { type: 'string', examples: ['W/"5vQkX0rT"'] },
  },
}

const RETRY_AFTER = {
  'retry-after': { description: 'Seconds to wait', schema: { type: 'integer', minimum: 1 } },
}

/** Headers of answers, by status. */
const HEADERS: Record<string, object> = {
  304: ETAG,
  201: {
    location: {
      description: 'Address of what was created',
      schema: { type: 'string', format: 'uri-reference' },
    },
  },
  401: {
    'www-authenticate': {
      description:
        '`Bearer`; with `error="invalid_token"` where a token came that does not count (RFC 6750). ' +
        '`Basic` where the route takes HTTP Basic',
      schema: { type: 'string', examples: ['Bearer error="invalid_token"'] },
    },
  },
  429: RETRY_AFTER,
  503: RETRY_AFTER,
}

/** Operations by what their routes say of them. */
export interface Traits {
  repeatable: ReadonlySet<string>
  conditional: ReadonlySet<string>
  untagged: ReadonlySet<string>
}

/**
 * Adds what holds for many operations alike, and gives each body an example, put together from the
 * examples that its fields carry.
 */
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
      // No body is not the body null.
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

/** Where `If-Match` takes more than a tag, its route describes it. */
const isDescribed = (parameters: readonly { name?: string }[] = []) =>
  parameters.some(({ name }) => name === 'if-match')

/** What is read as JSON has an entity tag. */
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
