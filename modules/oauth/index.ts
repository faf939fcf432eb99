import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { deleteExpiredFlows } from './flow/flow-queries.ts'
import { createMetadataCache } from './flow/metadata.ts'
import { adminRoutes } from './administration/routes.ts'
import { bindingRoutes } from './binding-routes.ts'
import { authorizationFlowRoutes, shortCallback } from './flow/routes.ts'
import { logoutRoutes } from './logout/routes.ts'
import { routes } from './routes.ts'

/** Sign-in with OAuth 2.0 and OpenID Connect, linked identities, and administration of identity providers. */
const oauth: FastifyPluginAsync<{ siteUrl: string; corsOrigins: readonly string[] }> = async (
  app,
  options,
) => {
  const cookieSettings = { siteUrl: options.siteUrl, origins: [options.siteUrl, ...options.corsOrigins] }
  app.decorate('identityMetadata', createMetadataCache())
  await app.register(
    async (app) => {
      await app.register(routes, { cookieSettings })
      await app.register(authorizationFlowRoutes)
      await app.register(bindingRoutes)
      await app.register(logoutRoutes)
    },
    { prefix: '/api/auth/oauth' },
  )
  await app.register(shortCallback)
  await app.register(adminRoutes, { prefix: '/api/oauth' })
  app.work.every(600, 'oauth.cleanup', () => deleteExpiredFlows(app.jobsDb))
}

export default fp(oauth, {
  name: 'oauth',
  encapsulate: true,
  dependencies: [
    'db',
    'events',
    'http',
    'mail',
    'secrets',
    'work',
    'installation',
    'access',
    'relying-party',
    'auth',
  ],
})
