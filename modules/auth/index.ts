import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { SIGNED_IN } from '../../plugins/openapi/audience.ts'
import mailLinkPages from './account/mail-link-pages.ts'
import { accountRoutes } from './account/routes.ts'
import { passkeyRoutes, passkeySignInRoutes } from './passkeys/routes.ts'
import relyingParty from './passkeys/relying-party.ts'
import { deleteExpiredChallenges } from './passkeys/queries.ts'
import { deleteReplacedTokens } from './personal-tokens/queries.ts'
import { sweepTokenReminders } from './personal-tokens/reminders.ts'
import { machineTokenRoutes } from './personal-tokens/machine-routes.ts'
import { personalTokenRoutes } from './personal-tokens/routes.ts'
import { ownTokenRoutes } from './personal-tokens/v1-routes.ts'
import { deleteExpiredSessions } from './queries.ts'
import { routes } from './routes.ts'
import { deleteExpiredSignInChallenges } from './two-factor/challenge-queries.ts'
import { twoFactorRoutes } from './two-factor/routes.ts'

interface AuthOptions {
  siteUrl: string
  corsOrigins: readonly string[]
}

/** Sign-in with one or two factors, sessions, and the user's own account; under /api. */
const auth: FastifyPluginAsync<AuthOptions> = async (app, options) => {
  const cookieSettings = { siteUrl: options.siteUrl, origins: [options.siteUrl, ...options.corsOrigins] }
  await app.register(
    async (app) => {
      await app.register(routes, { cookieSettings })
      await app.register(accountRoutes, { cookieSettings })
      await app.register(passkeySignInRoutes, { cookieSettings })
      await app.register(personalTokenRoutes)
    },
    { prefix: '/auth' },
  )
  await app.register(
    async (app) => {
      await app.register(twoFactorRoutes, { cookieSettings })
      await app.register(passkeyRoutes)
    },
    { prefix: '/2fa' },
  )
  await app.register(machineTokenRoutes)
  await app.register(ownTokenRoutes, { prefix: '/v1' })
  const { maxTokenDays } = app.installation
  app.work.every(600, 'tokens.reminders', (stopping) =>
    sweepTokenReminders({ db: app.jobsDb, maxTokenDays }, stopping),
  )
  app.work.every(3600, 'tokens.cleanup', () => deleteReplacedTokens(app.jobsDb))
  app.work.every(3600, 'sessions.cleanup', () => deleteExpiredSessions(app.jobsDb))
  app.work.every(600, 'sign-ins.cleanup', () => deleteExpiredSignInChallenges(app.jobsDb))
  app.work.every(3600, 'passkeys.cleanup', () => deleteExpiredChallenges(app.jobsDb))
}

export default fp<AuthOptions>(
  async (app, { siteUrl, corsOrigins }) => {
    await app.register(relyingParty, { siteUrl, corsOrigins })
    await app.register(auth, { prefix: SIGNED_IN.base, siteUrl, corsOrigins })
    await app.register(mailLinkPages)
  },
  {
    name: 'auth',
    dependencies: [
      'db',
      'events',
      'work',
      'mail',
      'secrets',
      'password-hashes',
      'tokens',
      'installation',
      'rate-limit',
      'access',
      'users',
    ],
  },
)
