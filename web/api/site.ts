import { api } from './client.ts'
import { late } from './late.ts'
import { repeated } from './repeated.ts'

/** Public facts about this service; loaded once per page. */
export const site = late(() => repeated(() => api.GET('/api/site')))

/** Identity providers offered on the sign-in page. */
export const signInProviders = late(
  async () => (await repeated(() => api.GET('/api/auth/oauth/providers'))).providers,
)
