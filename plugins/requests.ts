import cookie from '@fastify/cookie'
import cors from '@fastify/cors'
import fp from 'fastify-plugin'
import health, { MAX_EVENT_LOOP_DELAY_MS } from './health.ts'
import conditionalRequests from './http/conditional-requests.ts'
import compression from './http/compression.ts'
import concurrencyLimit from './http/concurrency-limit.ts'
import headers from './http/headers.ts'
import idempotency from './http/idempotency/idempotency.ts'
import largeBodies from './http/large-bodies.ts'
import requestEffects from './http/request-effects.ts'
import successStatus from './http/success-status.ts'
import openapi from './openapi/openapi.ts'
import access from './security/access/index.ts'
import principals from './security/access/principals.ts'
import rateLimit, { RATE_LIMIT_HEADERS } from './security/rate-limit/rate-limit.ts'
import tokens from './security/tokens.ts'

interface RequestOptions {
  siteUrl: string
  corsOrigins: readonly string[]
  rateLimit: number
  metricsToken: string | null
  alone: boolean
  maxEventLoopDelayMs?: number
}

/** How long a browser caches the answer to a preflight request. */
const PREFLIGHT_SECONDS = 600

/**
 * What every request passes, in this order: headers, authentication, limits, access rules, idempotency; and
 * its description.
 */
export default fp<RequestOptions>(
  async (app, { siteUrl, corsOrigins, rateLimit: perMinute, metricsToken, alone, maxEventLoopDelayMs }) => {
    await app.register(headers, { siteUrl })
    await app.register(cors, {
      origin: [siteUrl, ...corsOrigins],
      credentials: true,
      // Its refusal of other OPTIONS requests is not a problem document.
      strictPreflight: false,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
      maxAge: PREFLIGHT_SECONDS,
      exposedHeaders: [
        'Location',
        'Retry-After',
        'Idempotency-Replayed',
        'ETag',
        'Content-Disposition',
        'Change-Id',
        ...RATE_LIMIT_HEADERS,
      ],
    })
    await app.register(cookie)
    await app.register(requestEffects)
    await app.register(successStatus)
    await app.register(conditionalRequests)
    await app.register(tokens)
    await app.register(principals)
    await app.register(rateLimit, { perMinute, alone })
    await app.register(access)
    await app.register(largeBodies)
    await app.register(concurrencyLimit)
    await app.register(idempotency, { alone })
    // After what reads or stores the text of an answer.
    await app.register(compression)
    await app.register(openapi, { siteUrl })
    await app.register(health, { metricsToken, maxDelayMs: maxEventLoopDelayMs ?? MAX_EVENT_LOOP_DELAY_MS })
  },
  { name: 'requests', dependencies: ['services'] },
)
