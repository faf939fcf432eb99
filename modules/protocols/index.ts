import fp from 'fastify-plugin'
import acme from './acme/index.ts'
import dyndns from './dyndns/index.ts'
import externalDns from './external-dns/index.ts'
import mcp from './mcp/index.ts'

/** Protocols of existing programs: ACME clients, routers, Kubernetes clusters and assistants. */
export default fp<{ siteUrl: string; corsOrigins: readonly string[] }>(
  async (app, { siteUrl, corsOrigins }) => {
    await app.register(acme)
    await app.register(dyndns)
    await app.register(externalDns)
    await app.register(mcp, { siteUrl, corsOrigins })
  },
  { name: 'protocols', dependencies: ['records'] },
)
