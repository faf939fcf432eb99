import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /** Milliseconds that one request of ours may spend at a provider, repeats included. */
    providerBudgetMs: number
  }
}

/** In production; tests of slow providers take less. */
export const PROVIDER_BUDGET_MS = 20_000

export default fp<{ budgetMs: number }>(
  async (app, { budgetMs }) => {
    app.decorate('providerBudgetMs', budgetMs)
  },
  { name: 'provider-budget' },
)
