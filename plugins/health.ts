import { createHash, timingSafeEqual } from 'node:crypto'
import underPressure from '@fastify/under-pressure'
import { Type } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import ipaddr from 'ipaddr.js'
import { Histogram } from 'prom-client'
import { DiskFull } from '../db/errors.ts'
import { AppError, unavailable } from './errors.ts'
import { named } from '../schemas/named.ts'
import { addressOf } from './addresses.ts'

/** Milliseconds between two turns of the event loop, beyond which new requests are refused with 503. */
export const MAX_EVENT_LOOP_DELAY_MS = 2_000

const SETTLING_MS = 5_000

const Health = Type.Object({ status: Type.Literal('ok', { examples: ['ok'] }) }, named('Health'))

/** Liveness, readiness, metrics, and the refusal of load that can't be served (never with `maxDelayMs` 0). */
export default fp<{ metricsToken: string | null; maxDelayMs: number }>(
  async (app, { metricsToken, maxDelayMs }) => {
    let startedAt = Infinity
    app.addHook('onReady', async () => {
      startedAt = Date.now()
    })
    await app.register(underPressure, {
      maxEventLoopDelay: maxDelayMs,
      // The first measurement is of the start itself, which says nothing of the load.
      pressureHandler: async () => {
        if (Date.now() - startedAt > SETTLING_MS) throw unavailable('The service is busy; try again shortly')
      },
    })

    const durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from request to answer',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
      registers: [app.metrics.registry],
    })
    app.addHook('onResponse', (request, reply, done) => {
      const route = request.routeOptions.url ?? 'none'
      durations.labels(request.method, route, String(reply.statusCode)).observe(reply.elapsedTime / 1000)
      done()
    })

    const unlimited = {
      access: 'public',
      rateLimit: false,
      ignoresUnknown: 'monitoring adds parameters of its own, such as one against caches',
    } as const

    app.get(
      '/healthz',
      {
        config: unlimited,
        schema: {
          operationId: 'getHealth',
          tags: ['Operation'],
          summary: 'Whether the process lives',
          description:
            'Answers as long as the process can answer at all, and asks nothing else: for who restarts it. Open to anybody and not limited.',
          response: { 200: Health },
        },
      },
      async () => ({ status: 'ok' as const }),
    )

    app.get(
      '/readyz',
      {
        config: { ...unlimited, errors: [503] },
        schema: {
          operationId: 'getReadiness',
          tags: ['Operation'],
          summary: 'Whether the database (and Redis, when set) answer',
          description:
            'Asks the database, and Redis where it is set: for who sends traffic here. 503 says what does not answer; the service goes on by itself when that is back.',
          response: { 200: Health },
        },
      },
      async () => {
        await app.connection.ping().catch((cause: unknown) => {
          throw cause instanceof DiskFull ? cause : unavailable('The database does not answer', { cause })
        })
        await app.redis?.look().catch((cause: unknown) => {
          throw unavailable('Redis does not answer', { cause })
        })
        return { status: 'ok' as const }
      },
    )

    app.get(
      '/metrics',
      {
        config: { ...unlimited, errors: [403] },
        schema: {
          operationId: 'getMetrics',
          tags: ['Operation'],
          summary: 'Prometheus metrics, for loopback or with METRICS_TOKEN as bearer token',
          description:
            'Text for Prometheus about requests, jobs, connections and the process. Without METRICS_TOKEN for loopback alone, with it for whoever sends it, from loopback, too; else 403.',
          produces: ['text/plain'],
          response: { 200: Type.String({ examples: ['process_cpu_seconds_total 1.5'] }) },
        },
      },
      async (request, reply) => {
        const token = request.headers.authorization?.replace(/^Bearer /i, '')
        if (!mayRead(request, token)) {
          throw new AppError(403, 'forbidden', 'Metrics are for loopback, or need METRICS_TOKEN')
        }
        return reply.type('text/plain; version=0.0.4').send(await app.metrics.text())
      },
    )

    /** Loopback counts only where no token is set: behind a proxy on the same host everyone comes from there. */
    function mayRead(request: FastifyRequest, token: string | undefined): boolean {
      if (metricsToken === null) return isLocal(request)
      return token !== undefined && timingSafeEqual(sha256(token), sha256(metricsToken))
    }
  },
  { name: 'health', dependencies: ['db', 'metrics', 'redis'] },
)

/** Whether a request comes from the machine itself: not what a proxy on it forwards, whatever it says of where from. */
const isLocal = (request: FastifyRequest): boolean =>
  request.headers['x-forwarded-for'] === undefined &&
  ipaddr.process(addressOf(request)).range() === 'loopback'

const sha256 = (text: string) => createHash('sha256').update(text).digest()
