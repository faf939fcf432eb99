import type { FastifyPluginAsync } from 'fastify'

/** Messages to people inside the service: the list of them and the event stream. */
const notifications: FastifyPluginAsync<{ redisUrl: string | null }> = async () => {}

export default notifications
