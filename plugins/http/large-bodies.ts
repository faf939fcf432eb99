import { getHeapStatistics } from 'node:v8'
import fp from 'fastify-plugin'
import { unavailable } from './errors.ts'

/** Bodies up to this size are always accepted. */
const SMALL_BYTES = 64 * 1024

/** Share of the heap for bodies in transit: parsed JSON takes up to twenty times its size. */
const HEAP_SHARE = 1 / 32

/**
 * Limits the memory of all large bodies together, from the first byte to the response; beyond it the response is 503.
 * Runs after the access rule, so that only permitted callers take part of it.
 */
export default fp(
  async (app) => {
    const room = getHeapStatistics().heap_size_limit * HEAP_SHARE
    let taken = 0
    app.addHook('preParsing', (request, reply, payload, done) => {
      const { bodyLimit } = request.routeOptions
      if (bodyLimit <= SMALL_BYTES) return done(null, payload)
      // Without a length, assume the route's limit.
      const bytes = Number(request.headers['content-length'] ?? bodyLimit)
      if (bytes <= SMALL_BYTES) return done(null, payload)
      if (taken + bytes > room && taken > 0) {
        return done(unavailable('Too many large requests are in progress; try again shortly'))
      }
      taken += bytes
      reply.raw.once('close', () => (taken -= bytes))
      done(null, payload)
    })
  },
  { name: 'large-bodies', dependencies: ['access', 'bodies'] },
)
