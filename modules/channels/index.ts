import type { FastifyPluginAsync } from 'fastify'

/** Messages to the world outside: channels, and the outbox that delivers to them. */
const channels: FastifyPluginAsync = async () => {}

export default channels
