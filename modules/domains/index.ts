import type { FastifyPluginAsync } from 'fastify'
import { OPEN_API, SIGNED_IN } from '../../plugins/surface.ts'
import { expiry, type ExpiryOptions } from './expiry/index.ts'
import { domainHolding } from './holding.ts'
import { domainRoutes } from './routes.domains.ts'
import { routes } from './routes.ts'

/** Domains, their groups and tags, and who may see and change them. */
const domains: FastifyPluginAsync<ExpiryOptions> = async (
  app,
  { rdapBootstrapUrl, whoisServer, registrySpacingMs },
) => {
  app.holdings.push(domainHolding)
  for (const surface of [SIGNED_IN, OPEN_API]) {
    await app.register(domainRoutes, { prefix: `${surface.base}/domains`, surface })
  }
  await app.register(routes, { prefix: SIGNED_IN.base })
  const options = { rdapBootstrapUrl, whoisServer, registrySpacingMs }
  await app.register(expiry, { prefix: SIGNED_IN.base, ...options })
}

export default domains
