import fp from 'fastify-plugin'

/** How much a provider may take of us. */
export interface ProviderLimits {
  /** Milliseconds that one request of ours may spend at a provider, repeats included. */
  budgetMs: number
  /** Records that a zone may have; one that has more is not read. */
  maxZoneRecords: number
}

declare module 'fastify' {
  interface FastifyInstance {
    providerLimits: ProviderLimits
  }
}

/** In production; tests of slow providers take less. */
export const PROVIDER_BUDGET_MS = 20_000

export default fp<ProviderLimits>(
  async (app, { budgetMs, maxZoneRecords }) => {
    app.decorate('providerLimits', { budgetMs, maxZoneRecords })
  },
  { name: 'provider-limits' },
)
