import type { FastifyPluginAsync } from 'fastify'
import { accountRoutes } from './account/routes.ts'
import { passkeyRoutes, passkeySignInRoutes } from './passkeys/routes.ts'
import { deleteExpiredChallenges } from './passkeys/queries.ts'
import { personalTokenRoutes } from './personal-tokens/routes.ts'
import { deleteExpiredSessions } from './queries.ts'
import { routes } from './routes.ts'
import { deleteExpiredSignInChallenges } from './two-factor/challenge-queries.ts'
import { twoFactorRoutes } from './two-factor/routes.ts'

/** Sign-in by one factor and by two, sessions, and the own account; under /api. */
const auth: FastifyPluginAsync<{ siteUrl: string; corsOrigins: readonly string[] }> = async (
  app,
  options,
) => {
  const site = { siteUrl: options.siteUrl, origins: [options.siteUrl, ...options.corsOrigins] }
  await app.register(
    async (app) => {
      await app.register(routes, { site })
      await app.register(accountRoutes, { site })
      await app.register(passkeySignInRoutes, { site })
      await app.register(personalTokenRoutes)
    },
    { prefix: '/auth' },
  )
  await app.register(
    async (app) => {
      await app.register(twoFactorRoutes, { site })
      await app.register(passkeyRoutes)
    },
    { prefix: '/2fa' },
  )
  app.every(3600, 'expired sessions', () => deleteExpiredSessions(app.db))
  app.every(600, 'expired sign-ins', () => deleteExpiredSignInChallenges(app.db))
  app.every(3600, 'expired passkey challenges', () => deleteExpiredChallenges(app.db))
}

export default auth
