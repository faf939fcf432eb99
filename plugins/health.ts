import { createHash, timingSafeEqual } from 'node:crypto'
import underPressure from '@fastify/under-pressure'
import { Type, type Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import ipaddr from 'ipaddr.js'
import { Histogram } from 'prom-client'
import { DiskFull } from '../db/connection/errors.ts'
import { problemSchema } from './openapi/problems.ts'
import { AppError, unavailable } from './http/errors.ts'
import { named } from '../schemas/named.ts'
import { addressOf } from './security/addresses.ts'

/** Milliseconds between two turns of the event loop, beyond which new requests are refused with 503. */
export const MAX_EVENT_LOOP_DELAY_MS = 2_000

const SETTLING_MS = 5_000

const Health = Type.Object({ status: Type.Literal('ok', { examples: ['ok'] }) }, named('Health'))

const Readiness = Type.Object(
  {
    ready: Type.Boolean({ description: 'Whether this instance can serve requests', examples: [true] }),
    checks: Type.Array(
      Type.Object({
        name: Type.Literal('database', { examples: ['database'] }),
        status: Type.Unsafe<'ok' | 'no_answer' | 'disk_full'>({
          type: 'string',
          enum: ['ok', 'no_answer', 'disk_full'],
          examples: ['ok'],
        }),
      }),
      { description: 'One entry for each thing that this instance needs in order to serve' },
    ),
  },
  named('Readiness'),
)
type Readiness = Static<typeof Readiness>

const readiness = (status: Readiness['checks'][number]['status']): Readiness => ({
  ready: status === 'ok',
  checks: [{ name: 'database', status }],
})

/** What `/readyz` answers (with 503) while the database does not. */
export const NOT_READY = readiness('no_answer')

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
        config: unlimited,
        schema: {
          operationId: 'getReadiness',
          tags: ['Operation'],
          summary: 'Whether this instance can serve requests',
          description:
            'For load balancers. 200 if everything this instance needs answers, else 503 with the same body: `no_answer` if the database does not answer within 2.5 seconds, `disk_full` if the embedded one has no room left. However often it is called, the database is asked once at a time. The instance recovers by itself.',
          response: {
            200: Readiness,
            503: {
              content: {
                'application/json': { schema: Readiness },
                // Of an instance that stops or has too much to do.
                'application/problem+json': { schema: problemSchema(503) },
              },
            },
          },
        },
      },
      async (_request, reply) => {
        const failure = await app.connection.ping().then(
          () => null,
          (error: unknown) => error,
        )
        if (failure === null) return readiness('ok')
        reply.code(503).header('retry-after', '2')
        return reply.send(failure instanceof DiskFull ? readiness('disk_full') : NOT_READY)
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
  { name: 'health', dependencies: ['db', 'metrics'] },
)

/** Whether a request comes from the machine itself: not what a proxy on it forwards, whatever it says of where from. */
const isLocal = (request: FastifyRequest): boolean =>
  request.headers['x-forwarded-for'] === undefined &&
  ipaddr.process(addressOf(request)).range() === 'loopback'

const sha256 = (text: string) => createHash('sha256').update(text).digest()
