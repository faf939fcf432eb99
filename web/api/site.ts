import { api } from './client.ts'
import { late } from './late.ts'
import { repeated } from './repeated.ts'

/** What the service tells anybody about itself; the same as long as the page is there. */
export const site = late(() => repeated(() => api.GET('/api/site')))

/** By whom else one may sign in, as anybody is told. */
export const signInProviders = late(
  async () => (await repeated(() => api.GET('/api/auth/oauth/providers'))).providers,
)
