import type { FastifyPluginAsync } from 'fastify'
import { accountRoutes } from './account/routes.ts'
import { passkeySignInRoutes } from './passkeys/routes.ts'
import { deleteExpiredChallenges } from './passkeys/queries.ts'
import { personalTokenRoutes } from './personal-tokens/routes.ts'
import { deleteExpiredSessions } from './queries.ts'
import { routes } from './routes.ts'

/** Sign-in, sessions and the own account. */
const auth: FastifyPluginAsync<{ siteUrl: string; corsOrigins: readonly string[] }> = async (
  app,
  options,
) => {
  const site = { siteUrl: options.siteUrl, origins: [options.siteUrl, ...options.corsOrigins] }
  await app.register(routes, { site })
  await app.register(accountRoutes, { site })
  await app.register(passkeySignInRoutes, { site })
  await app.register(personalTokenRoutes)
  app.every(3600, 'expired sessions', () => deleteExpiredSessions(app.db))
  app.every(3600, 'expired passkey challenges', () => deleteExpiredChallenges(app.db))
}

export default auth
