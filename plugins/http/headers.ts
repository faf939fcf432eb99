import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { invalid } from './errors.ts'

/** Security headers of every response. A page of the service replaces the policy by its own. */
const HEADERS = {
  // Responses hold private data.
  'cache-control': 'no-store',
  // Responses are data: a browser must not load or run anything in them.
  'content-security-policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
} as const

/** One year, in seconds: a browser that has seen the HTTPS site never tries HTTP again. */
const HSTS = { 'strict-transport-security': `max-age=${365 * 24 * 3600}; includeSubDomains` }

/** Adds the security headers and rejects requests with several Host headers. */
export default fp<{ siteUrl: string }>(
  (app: FastifyInstance, { siteUrl }, done) => {
    const headers = { ...HEADERS, ...(siteUrl.startsWith('https:') && HSTS) }
    app.addHook('onRequest', ({ raw }, reply, next) => {
      reply.headers(headers)
      if (hasSeveralHosts(raw.rawHeaders)) {
        return next(invalid({ path: '/host', code: 'several_hosts', message: 'must be sent only once' }))
      }
      next()
    })
    done()
  },
  { name: 'headers' },
)

/**
 * With two Host headers, a proxy may use one and this service the other (RFC 9112 section 3.2).
 * `raw` alternates names and values.
 */
const hasSeveralHosts = (raw: readonly string[]): boolean =>
  raw.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length > 1
