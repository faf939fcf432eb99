import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import packageJson from '../../package.json' with { type: 'json' }
import { CurrentUser, User, UserSummary } from '../../schemas/people/user.ts'
import { Domain, DomainListItem } from '../../schemas/domain.ts'
import { FieldError, Problem } from '../../schemas/problem.ts'
import { DnsRecord, RecordSnapshot } from '../../schemas/record.ts'
import { OPEN_API, plainOperationId } from './audience.ts'
import { completed, described, heedsKey } from './operations.ts'
import { SECURITY_SCHEMES } from './security.ts'
import { TAGS } from './tags.ts'
import { onlyUsed, withComponents } from './shapes.ts'
import { withSharedParts } from './shared.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The description of the Open API alone. */
    openApiV1(): object
  }
}

/** What a call that reaches a DNS provider may answer. */
export const PROVIDER_ERRORS = [502, 503, 504] as const

/** OpenAPI 3.1: all at /openapi.json, the Open API alone at /api/v1/openapi.json, and a page for people at /docs. */
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
      if (heedsKey(route)) repeatable.add(operationId)
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
            'Unknown query parameters and members of bodies are 400 `validation_failed`: the answer names each, and the nearest ' +
            'known one. A PUT takes back what its answer shows. ' +
            'A method that a path has not is 405 `method_not_allowed`; `Allow` names those that it has. ' +
            'A part of a path of more than 300 characters is 414.',
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
      ...options('Zonekeeper', 'Domains and their DNS records, over many DNS hosts, for many users.'),
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

/** Of the one inline style that the page makes; a test in a browser keeps it true. */
const DRAWN = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='"

/** As strict as that of the console, but that the page writes its own HTML: it and its calls come from this site alone. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  `style-src 'self' ${DRAWN}`,
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const V1_PATH = `${OPEN_API.base}/openapi.json`

const V1_DESCRIPTION =
  'Domains and their DNS records, for programs with a personal token. What is here stays as it is: further ' +
  'operations, members of answers and values come, none goes. A client takes what it does not know.\n\n' +
  'Each token has its own limit of requests: `RateLimit-Policy` of an answer says how many (`q`) in how many ' +
  'seconds (`w`), `RateLimit` how many are left (`r`) and after how many seconds all are again (`t`).'

const documentOf = (documents: object) =>
  'openapiObject' in documents ? (documents.openapiObject as object) : {}

/** A document whose words speak of the paths of the Open API too. */
const inV1 = <T extends object>(document: T): T =>
  JSON.parse(JSON.stringify(document).replaceAll(/\/api\/(?!v1\/)/g, `${OPEN_API.base}/`)) as T
