import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { OPEN_API, SIGNED_IN } from '../../plugins/openapi/audience.ts'
import type { Provider } from './contract.ts'
import registry, { PROVIDERS } from './registry.ts'
import accounts from './traffic/accounts.ts'
import circuitBreakers from './traffic/circuit-breaker.ts'
import limits, { PROVIDER_BUDGET_MS } from './traffic/limits.ts'
import writeLock from './traffic/write-lock.ts'
import { ownedConfigs } from './configs/service.ts'
import { readingRoutes, routes } from './configs/routes.ts'
import { recordTypeRoutes } from './catalogue/routes.ts'

/** DNS providers: the catalogue and provider connections. */
const providerRoutes: FastifyPluginAsync = async (app) => {
  app.ownership.push(ownedConfigs)
  for (const audience of [SIGNED_IN, OPEN_API]) {
    const options = { prefix: audience.base, audience }
    await app.register(routes, options)
    await app.register(readingRoutes, options)
    await app.register(recordTypeRoutes, options)
  }
}

export default fp<{ providers?: readonly Provider[]; providerBudgetMs?: number; maxZoneRecords: number }>(
  async (app, { providers = PROVIDERS, providerBudgetMs: budgetMs = PROVIDER_BUDGET_MS, maxZoneRecords }) => {
    await app.register(accounts)
    await app.register(registry, { providers })
    await app.register(circuitBreakers)
    await app.register(writeLock)
    await app.register(limits, { budgetMs, maxZoneRecords })
    await app.register(providerRoutes)
  },
  { name: 'providers', dependencies: ['db', 'http', 'tcp', 'secrets', 'metrics', 'ownership', 'access'] },
)
