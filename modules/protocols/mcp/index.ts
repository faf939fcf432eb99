import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { bearer } from '../../../plugins/security/access/index.ts'
import { forbidden, invalid } from '../../../plugins/http/errors.ts'
import type { McpHandler } from './handler.ts'

/** A plan of a hundred changes with long values. */
const MAX_BYTES = 512 * 1024

/**
 * Tools for assistants (Model Context Protocol) by Streamable HTTP, without sessions: any instance answers any
 * request. They call the Open API with the caller's token, so that what it may is judged there, call by call.
 */
const mcp: FastifyPluginAsync<{ siteUrl: string; corsOrigins: readonly string[] }> = async (
  app,
  { siteUrl, corsOrigins },
) => {
  const origins = new Set([siteUrl, ...corsOrigins])
  let handler: McpHandler | undefined

  /** The library takes 40 MB and a tenth of a second: only where assistants come. */
  async function load(): Promise<McpHandler> {
    const { createHandler } = await import('./handler.ts')
    return (handler ??= createHandler(app, (error) =>
      app.log.warn({ reason: error.message }, 'MCP request refused'),
    ))
  }

  app.post(
    '/mcp',
    {
      config: { access: 'api', permission: null },
      bodyLimit: MAX_BYTES,
      schema: { hide: true },
      // A page may have been led here by another address for its own name (DNS rebinding).
      onRequest: ({ headers: { origin } }, _reply, done) =>
        done(
          origin === undefined || origins.has(origin)
            ? undefined
            : forbidden('Pages of other sites may not call this'),
        ),
    },
    async (request, reply) => {
      // Gone from the protocol since 2025-06-18: many calls that would count as one.
      if (Array.isArray(request.body))
        throw invalid({ path: '', code: 'batch', message: 'is more than one message' })
      const { answer } = handler ?? (await load())
      return reply.send(await answer(request, bearer(request)))
    },
  )

  app.addHook('onClose', async () => handler?.close())
}

export default fp(mcp, { name: 'mcp', encapsulate: true, dependencies: ['access', 'records'] })
