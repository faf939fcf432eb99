import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import packageJson from '../../package.json' with { type: 'json' }
import { CurrentUser, User, UserSummary } from '../../schemas/people/user.ts'
import { Domain, DomainListItem } from '../../schemas/domain.ts'
import { FieldError, Problem } from '../../schemas/problem.ts'
import { DnsRecord, RecordSnapshot } from '../../schemas/records/record.ts'
import { OPEN_API, plainOperationId } from './audience.ts'
import { completed, described, supportsIdempotencyKey } from './operations.ts'
import { SECURITY_SCHEMES } from './security.ts'
import { TAGS } from './tags.ts'
import { onlyUsed, withComponents } from './shapes.ts'
import { withSharedParts } from './shared.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Returns the description of the Open API only. */
    openApiV1(): object
  }
}

/** Error statuses of routes that call a DNS provider. */
export const PROVIDER_ERRORS = [502, 503, 504] as const

/** Serves OpenAPI 3.1: the whole API at /openapi.json, the Open API at /api/v1/openapi.json, and a page at /docs. */
export default fp<{ siteUrl: string }>(
  async (app, { siteUrl }) => {
    const shared = [
      FieldError,
      Problem,
      UserSummary,
      CurrentUser,
      User,
      Domain,
      DomainListItem,
      DnsRecord,
      RecordSnapshot,
    ]
    for (const schema of shared) app.addSchema(schema)
    const [repeatable, conditional, untagged] = [new Set<string>(), new Set<string>(), new Set<string>()]
    const traits = { repeatable, conditional, untagged }
    app.addHook('onRoute', (route) => {
      const { operationId } = route.schema ?? {}
      if (operationId === undefined) return
      if (supportsIdempotencyKey(route)) repeatable.add(operationId)
      if (route.config?.ifMatch === true) conditional.add(operationId)
      if (route.config?.untagged === true) untagged.add(operationId)
    })

    const options = (title: string, description: string): FastifyDynamicSwaggerOptions => ({
      openapi: {
        openapi: '3.1.0',
        info: {
          title,
          version: packageJson.version,
          description:
            `${description}\n\n` +
            'Unknown query parameters and body members return 400 `validation_failed`, with the nearest known name. ' +
            'A PUT accepts the body of its own response. ' +
            'A method that a path does not support returns 405 `method_not_allowed`; `Allow` lists those it supports. ' +
            'Path segments over 300 characters return 414.',
          license: { name: 'MIT', identifier: 'MIT' },
        },
        servers: [{ url: siteUrl }],
        tags: TAGS,
        components: { securitySchemes: SECURITY_SCHEMES },
      },
      refResolver: {
        buildLocalReference: (json, _baseUri, _fragment, i) =>
          typeof json.$id === 'string' ? json.$id : `def-${i}`,
      },
    })

    await app.register(swagger, {
      ...options('Zonekeeper', 'Multi-user management of domains and DNS records over many DNS providers.'),
      transform: ({ schema, url, route }) => {
        if (!schema) return { schema: {}, url }
        const { tags = [], ...rest } = described(schema, route, app.getSchemas())
        return { schema: { ...rest, tags: tags.slice(0, 1) }, url }
      },
      transformObject: (documents) =>
        withSharedParts(withComponents(completed(documentOf(documents), traits))),
    })

    await app.register(swagger, {
      ...options('Zonekeeper Open API', V1_DESCRIPTION),
      decorator: 'openApiV1',
      transform: ({ schema, url, route }) => {
        if (!schema || !url.startsWith(`${OPEN_API.base}/`)) return { schema: { hide: true }, url }
        const { operationId = '', tags = [], ...rest } = described(schema, route, app.getSchemas())
        return {
          schema: { ...rest, operationId: plainOperationId(operationId), tags: tags.slice(-1) },
          url,
        }
      },
      transformObject: (documents) =>
        inV1(withSharedParts(onlyUsed(withComponents(completed(documentOf(documents), traits))))),
    })

    await app.register(async (page: FastifyInstance) => {
      page.addHook('onRoute', (route) => {
        route.config = { ...route.config, access: 'public' }
        route.schema = { ...route.schema, hide: true }
      })
      await page.register(swaggerUi, {
        routePrefix: '/docs',
        staticCSP: POLICY,
        uiConfig: { deepLinking: true },
      })
      const documents = { '/openapi.json': () => app.swagger(), [V1_PATH]: () => app.openApiV1() }
      for (const [path, read] of Object.entries(documents)) {
        let document: string | undefined
        page.get(path, (_request, reply) => {
          document ??= JSON.stringify(read())
          return reply.type('application/json').send(document)
        })
      }
    })
  },
  { name: 'openapi' },
)

/** Hash of the page's only inline style; a browser test checks it. */
const INLINE_STYLE = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='"

/** As strict as the console's policy, but without Trusted Types, because Swagger UI writes HTML. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${INLINE_STYLE}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const V1_PATH = `${OPEN_API.base}/openapi.json`

const V1_DESCRIPTION =
  'Domains and DNS records, for programs with a personal token. The API is stable: operations, response members and ' +
  'values may be added, but are never removed. Clients must ignore what they do not know.\n\n' +
  'Each token has its own rate limit. `RateLimit-Policy` gives the number of requests (`q`) per window in seconds (`w`), ' +
  '`RateLimit` the remaining requests (`r`) and the seconds until the limit resets (`t`).'

const documentOf = (documents: object) =>
  'openapiObject' in documents ? (documents.openapiObject as object) : {}

/** Replaces paths in the texts of a document by those of the Open API. */
const inV1 = <T extends object>(document: T): T =>
  JSON.parse(JSON.stringify(document).replaceAll(/\/api\/(?!v1\/)/g, `${OPEN_API.base}/`)) as T
