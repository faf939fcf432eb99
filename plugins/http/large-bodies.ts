import { getHeapStatistics } from 'node:v8'
import fp from 'fastify-plugin'
import { unavailable } from './errors.ts'

/** Up to here as many as there are connections are taken. */
const SMALL_BYTES = 64 * 1024

/** Of the heap, for one byte that comes: what JSON.parse makes of it takes up to twenty. */
const HEAP_SHARE = 1 / 32

/**
 * Large bodies are taken as far as memory has room for all of them together, from the first byte to the answer;
 * beyond that the answer is 503. After the access rule: only who may call the route takes of the room.
 */
export default fp(
  async (app) => {
    const room = getHeapStatistics().heap_size_limit * HEAP_SHARE
    let taken = 0
    app.addHook('preParsing', (request, reply, payload, done) => {
      const { bodyLimit } = request.routeOptions
      if (bodyLimit <= SMALL_BYTES) return done(null, payload)
      // Without a length, whatever the route takes may come.
      const bytes = Number(request.headers['content-length'] ?? bodyLimit)
      if (bytes <= SMALL_BYTES) return done(null, payload)
      if (taken + bytes > room && taken > 0) {
        return done(unavailable('Too many large requests are under way; try again shortly'))
      }
      taken += bytes
      reply.raw.once('close', () => (taken -= bytes))
      done(null, payload)
    })
  },
  { name: 'large-bodies', dependencies: ['access', 'bodies'] },
)
