import type { FastifyPluginAsync } from 'fastify'
import { routes } from './routes.ts'

/** Domains, their groups and tags, and who may see and change them. */
const domains: FastifyPluginAsync = async (app) => {
  await app.register(routes)
}

export default domains
