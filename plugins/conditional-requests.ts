import { hash } from 'node:crypto'
import fp from 'fastify-plugin'

/**
 * Weak entity tags on what is read (RFC 9110 section 8.8) and has none of its own, and 304 for a client that has it
 * already: a view that asks again costs no transfer. The answer is made all the same, so that its rights are checked
 * each time.
 */
export default fp(
  async (app) => {
    app.addHook('onSend', (request, reply, payload, done) => {
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (!isRead || reply.statusCode !== 200 || typeof payload !== 'string') return done(null, payload)
      const own = reply.getHeader('etag')
      const tag = typeof own === 'string' ? own : `W/"${hash('sha256', payload, 'base64url')}"`
      reply.header('etag', tag)
      if (!isKnown(tag, request.headers['if-none-match'])) return done(null, payload)
      reply.code(304).removeHeader('content-type').removeHeader('content-length')
      done(null, '')
    })
  },
  { name: 'conditional-requests' },
)

/** Compared weakly, as If-None-Match is (RFC 9110 section 13.1.2). */
const isKnown = (tag: string, ifNoneMatch = ''): boolean =>
  ifNoneMatch.split(',').some((given) => opaque(given.trim()) === opaque(tag))

const opaque = (tag: string): string => tag.replace(/^W\//, '')
