import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { registrationRoutes } from './acme/acme-dns/registration-routes.ts'
import { acmeDnsRoutes } from './acme/acme-dns/routes.ts'
import { routes as acmeRoutes } from './acme/routes.ts'
import dnsUpdate from './dns-update/index.ts'
import { dyndnsRoutes } from './dyndns/routes.ts'
import { routes as externalDnsRoutes } from './external-dns/routes.ts'
import mcp from './mcp/index.ts'
import { powerDnsRoutes } from './powerdns/routes.ts'

interface ProtocolOptions {
  siteUrl: string
  corsOrigins: readonly string[]
  dnsUpdateSoa: 'signed' | 'anyone'
}

/** Protocols of existing programs: ACME clients, routers, Kubernetes clusters, assistants, and whatever sends DNS updates. */
export default fp<ProtocolOptions>(
  async (app, { siteUrl, corsOrigins, dnsUpdateSoa }) => {
    const { base } = OPEN_API
    await app.register(acmeRoutes, { prefix: `${base}/acme` })
    await app.register(acmeDnsRoutes, { prefix: `${base}/acme-dns` })
    for (const audience of [SIGNED_IN, OPEN_API]) {
      await app.register(registrationRoutes, { prefix: audience.base, audience })
    }
    await app.register(dyndnsRoutes)
    await app.register(externalDnsRoutes, { prefix: `${base}/external-dns` })
    await app.register(powerDnsRoutes)
    await app.register(mcp, { siteUrl, corsOrigins })
    await app.register(dnsUpdate, { dnsUpdateSoa })
  },
  { name: 'protocols', dependencies: ['access', 'domains', 'provider-registry', 'rate-limit', 'records'] },
)
