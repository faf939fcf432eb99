import type { FastifyPluginAsync } from 'fastify'

/** Delegation of domains, and of parts of them, to users; and their requests for it. */
const assignments: FastifyPluginAsync = async () => {}

export default assignments
