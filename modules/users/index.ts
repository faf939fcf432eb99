import type { FastifyPluginAsync } from 'fastify'
import fp from 'fastify-plugin'
import { SIGNED_IN } from '../../plugins/openapi/audience.ts'
import { invitationRoutes } from './invitations/routes.ts'
import { deleteExpiredMailTokens } from './mail-links/mail-token-queries.ts'
import { userRoutes } from './routes.ts'

/** User administration and invitations. */
const users: FastifyPluginAsync = async (app) => {
  await app.register(userRoutes, { prefix: SIGNED_IN.base })
  await app.register(invitationRoutes, { prefix: SIGNED_IN.base })
  app.work.every(3600, 'mail-links.cleanup', () => deleteExpiredMailTokens(app.jobsDb))
}

export default fp(users, {
  name: 'users',
  encapsulate: true,
  dependencies: [
    'db',
    'events',
    'mail',
    'secrets',
    'password-hashes',
    'work',
    'ownership',
    'installation',
    'access',
  ],
})
