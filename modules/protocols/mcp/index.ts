import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { bearer } from '../../../plugins/security/access/index.ts'
import { forbidden, invalid } from '../../../plugins/http/errors.ts'
import type { McpHandler } from './handler.ts'

/** Enough for a plan of a hundred changes with long values. */
const MAX_BYTES = 512 * 1024

/**
 * Tools for assistants (Model Context Protocol) over Streamable HTTP, without sessions, so any instance answers any request.
 * They call the Open API with the caller's token, so each call has the permissions of the token and no others.
 */
const mcp: FastifyPluginAsync<{ siteUrl: string; corsOrigins: readonly string[] }> = async (
  app,
  { siteUrl, corsOrigins },
) => {
  const origins = new Set([siteUrl, ...corsOrigins])
  let handler: McpHandler | undefined

  /** Loads the library on first use, because it takes 40 MB and a tenth of a second. */
  async function load(): Promise<McpHandler> {
    const { createHandler } = await import('./handler.ts')
    return (handler ??= createHandler(app, (error) =>
      app.log.warn({ reason: error.message }, 'MCP request refused'),
    ))
  }

  app.post('/mcp', {
    config: { access: 'api', permission: null },
    bodyLimit: MAX_BYTES,
    schema: { hide: true },
    // Protects from DNS rebinding, by which a page reaches this service under its own name.
    onRequest: ({ headers: { origin } }, _reply, done) =>
      done(
        origin === undefined || origins.has(origin)
          ? undefined
          : forbidden('Web pages of other sites must not call this endpoint'),
      ),
    handler: async (request, reply) => {
      // Batches were removed from the protocol in 2025-06-18, and would count as one call.
      if (Array.isArray(request.body))
        throw invalid({ path: '', code: 'batch', message: 'must be a single message' })
      const { answer } = handler ?? (await load())
      return reply.send(await answer(request, bearer(request)))
    },
  })

  app.addHook('onClose', async () => handler?.close())
}

export default fp(mcp, { name: 'mcp', encapsulate: true, dependencies: ['access', 'records'] })
