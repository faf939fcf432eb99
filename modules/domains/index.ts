import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { requireSameAccess } from './access/access.ts'
import { expiry, type ExpiryOptions } from './expiry/index.ts'
import { createListedZones } from './registration/listed-zones.ts'
import newDomains from './registration/new-domains.ts'
import { ownedDomains } from './registration/ownership.ts'
import { domainRoutes } from './domain-routes.ts'
import { zoneSettingsRoutes } from './zone-settings/routes.ts'
import { routes } from './routes.ts'
import { CreatedDomain } from './schemas.ts'

/** Domains, their groups and tags, and access to them. */
const domains: FastifyPluginAsync<ExpiryOptions> = async (
  app,
  { rdapBootstrapUrl, whoisServer, registrySpacingMs },
) => {
  app.ownership.push(ownedDomains)
  app.replayChecks.push(requireSameAccess)
  app.addSchema(CreatedDomain)
  for (const audience of [SIGNED_IN, OPEN_API]) {
    const options = { prefix: audience.base, audience }
    await app.register(domainRoutes, { ...options, prefix: `${audience.base}/domains` })
    await app.register(routes, options)
    await app.register(zoneSettingsRoutes, options)
  }
  await app.register(expiry, { rdapBootstrapUrl, whoisServer, registrySpacingMs })
}

export default fp<ExpiryOptions>(
  async (app, options) => {
    app.decorate('listedZones', createListedZones())
    await app.register(newDomains)
    await app.register(domains, options)
  },
  {
    name: 'domains',
    dependencies: [
      'db',
      'events',
      'http',
      'tcp',
      'public-dns',
      'installation',
      'secrets',
      'work',
      'ownership',
      'access',
      'idempotency',
      'provider-limits',
      'circuit-breakers',
      'write-lock',
      'providers',
    ],
  },
)
