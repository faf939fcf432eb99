import rateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { credentialsOf } from '../access/index.ts'
import { isPersonalToken, isWellFormed } from '../access/personal-tokens.ts'
import { addressOf } from '../addresses.ts'
import { AppError, sendNotFound } from '../../http/errors.ts'
import { createExchangedCounters } from './exchanged-counters.ts'
import { deleteOldCounters } from './queries.ts'
import { createStore } from './store.ts'

/** Attempts at a password, code or token, per account or address. */
export const SIGN_IN_LIMIT = { max: 10, timeWindow: 60_000 } as const

/** Calls that make another server work: look-ups, tests, syncs. */
export const UPSTREAM_LIMIT = { max: 60, timeWindow: 60_000 } as const

/** Look-ups at registries, which throttle or block frequent callers. */
export const LOOKUP_LIMIT = { max: 20, timeWindow: 60_000 } as const

/** Rate limit headers of the Open API (draft-ietf-httpapi-ratelimit-headers-11). */
export const RATE_LIMIT_HEADERS = ['RateLimit', 'RateLimit-Policy']

const UPKEEP_SECONDS = 600

const WINDOW_MS = 60_000
/** Interval at which instances exchange their counts. */
const EXCHANGE_SECONDS = 1

/** The network an access provider assigns to one customer. */
const IPV6_PREFIX = 64

/** Look-ups of unknown credentials at a time from one address: guesses must not keep the database busy. */
const MAX_LOOK_UPS = 8

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * For a public route with its own credentials: the owner of a request by its header; null if they are
     * wrong.
     */
    countedAs?: (request: FastifyRequest) => Promise<string | null>
  }
}

const networkOf = (request: FastifyRequest) => normalizeIP(addressOf(request), IPV6_PREFIX)

/**
 * Limits requests by user, by personal token, or otherwise by address (IPv6: by network).
 * plugins/security/rate-limit/store.ts chooses where they are counted. `perMinute` 0 means no limit.
 */
export default fp<{ perMinute: number; alone: boolean }>(
  async (app, { perMinute, alone }) => {
    const counters = createExchangedCounters(app.jobsDb, { max: perMinute, windowMs: WINDOW_MS })
    await app.register(rateLimit, {
      max: perMinute,
      timeWindow: WINDOW_MS,
      keyGenerator: async (request) => (await callerOf(request)) ?? networkOf(request),
      errorResponseBuilder: (_request, { ttl }) => tooMany(Math.ceil(ttl / 1000)),
      allowList: () => perMinute === 0,
      global: true,
      // If counting fails because the database is unavailable, whatever needs the database refuses the
      // request.
      skipOnError: true,
      store: createStore(app.db, counters.count),
    })
    const lookUps = new Map<string, number>()
    const limit = app.rateLimit()
    app.setNotFoundHandler({ preHandler: limit }, sendNotFound)
    // Counted and answered here, before any of the body is read.
    app.addHook('onRequest', async function (request, reply) {
      if (!request.is404) return
      await limit.call(this, request, reply)
      return sendNotFound(request, reply)
    })
    if (!alone) app.work.everyInstance(EXCHANGE_SECONDS, 'counted requests', counters.exchange)
    app.work.every(UPKEEP_SECONDS, 'rate-limits.cleanup', () => deleteOldCounters(app.jobsDb))

    app.addHook('onSend', (request, reply, _payload, done) => {
      const [limit, left, seconds] = ['limit', 'remaining', 'reset'].map((what) =>
        Number(reply.getHeader(`x-ratelimit-${what}`)),
      )
      const { permission, rateLimit: own } = request.routeOptions.config
      if (permission !== undefined && limit !== undefined && !Number.isNaN(limit)) {
        const name = own === undefined || own === false ? 'requests' : (own.groupId ?? 'lookups')
        reply.header('ratelimit-policy', `"${name}";q=${limit};w=${WINDOW_MS / 1000}`)
        reply.header('ratelimit', `"${name}";r=${left};t=${seconds}`)
      }
      done()
    })

    /** Returns the user, the personal token or another owner; undefined without valid credentials. */
    async function callerOf(request: FastifyRequest): Promise<string | undefined> {
      const { access, tokenInQuery, passwordInQuery, apiKey, countedAs } = request.routeOptions.config
      try {
        if (countedAs) return (await lookingUp(request, () => countedAs(request))) ?? undefined
        // On public routes, a token must not choose what the request counts for, or guesses would be free.
        if (access === 'public') return undefined
        const { authorization } = request.headers
        const isElsewhere = tokenInQuery === true || passwordInQuery === true || apiKey === true
        if (authorization === undefined && !isElsewhere) return undefined
        const { token } = credentialsOf(request)
        if (isPersonalToken(token)) return await tokenIdOf(token, request)
        return app.tokens.verify(token, 'access').userId
      } catch {
        // The access rule refuses an invalid token; here the caller is an address.
        return undefined
      }
    }

    /** Also on first use: a valid token is not affected by others at its address. */
    async function tokenIdOf(token: string, request: FastifyRequest): Promise<string | undefined> {
      const known = app.principals.rememberedToken(token)
      if (known || !isWellFormed(token)) return known?.id
      return (await lookingUp(request, () => app.principals.byToken(token, request)))?.id
    }

    /** Null, without a look-up, if an address has too many look-ups in flight. */
    async function lookingUp<T>(request: FastifyRequest, look: () => Promise<T | null>): Promise<T | null> {
      const network = networkOf(request)
      const running = lookUps.get(network) ?? 0
      if (running >= MAX_LOOK_UPS) return null
      lookUps.set(network, running + 1)
      try {
        return await look()
      } finally {
        const left = (lookUps.get(network) ?? 1) - 1
        if (left > 0) lookUps.set(network, left)
        else lookUps.delete(network)
      }
    }
  },
  { name: 'rate-limit', dependencies: ['db', 'principals', 'tokens', 'work'] },
)

const tooMany = (seconds: number) =>
  new AppError(429, 'rate_limited', `Too many requests; retry in ${seconds} s`, {
    headers: { 'retry-after': String(seconds) },
  })
