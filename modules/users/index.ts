import type { FastifyPluginAsync } from 'fastify'
import { invitationRoutes } from './invitations/routes.ts'
import { deleteExpiredMailTokens } from './mail-token-queries.ts'
import { userRoutes } from './routes.ts'

/** The accounts as administrators see them, and invitations to make one. */
const users: FastifyPluginAsync = async (app) => {
  await app.register(userRoutes)
  await app.register(invitationRoutes)
  app.every(3600, 'expired links of mails', () => deleteExpiredMailTokens(app.db))
}

export default users
