import fp from 'fastify-plugin'

/** Limits on what a provider can use of our resources. */
export interface ProviderLimits {
  /** Milliseconds one of our requests can spend at a provider, retries included. */
  budgetMs: number
  /** Maximum records of a zone; larger zones are not read. */
  maxZoneRecords: number
}

declare module 'fastify' {
  interface FastifyInstance {
    providerLimits: ProviderLimits
  }
}

/** In production; tests of slow providers use less. */
export const PROVIDER_BUDGET_MS = 20_000

export default fp<ProviderLimits>(
  async (app, { budgetMs, maxZoneRecords }) => {
    app.decorate('providerLimits', { budgetMs, maxZoneRecords })
  },
  { name: 'provider-limits' },
)
