import { createHash, timingSafeEqual } from 'node:crypto'
import underPressure from '@fastify/under-pressure'
import { Type, type Static } from '@sinclair/typebox'
import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import ipaddr from 'ipaddr.js'
import { Histogram } from 'prom-client'
import { DatabaseReadOnly, DiskFull } from '../db/connection/errors.ts'
import { problemSchema } from './openapi/problems.ts'
import { AppError, unavailable } from './http/errors.ts'
import { named } from '../schemas/named.ts'
import { addressOf } from './security/addresses.ts'
import { OneOf } from '../schemas/scalars.ts'

/** Event loop delay in milliseconds above which new requests get 503. */
export const MAX_EVENT_LOOP_DELAY_MS = 2_000

const SETTLING_MS = 5_000

const Health = Type.Object({ status: Type.Literal('ok', { examples: ['ok'] }) }, named('Health'))

const Readiness = Type.Object(
  {
    ready: Type.Boolean({ description: 'Whether this instance can serve all requests', examples: [true] }),
    state: OneOf(['ready', 'starting', 'degraded', 'unavailable', 'draining'], {
      description:
        '`starting`: the service waits for its database. `degraded`: only reads are served. `draining`: the instance is about to stop.',
      examples: ['ready'],
    }),
    checks: Type.Array(
      Type.Object({
        name: Type.Literal('database', { examples: ['database'] }),
        status: OneOf(['ok', 'no_answer', 'disk_full', 'read_only']),
      }),
      { description: 'One entry per dependency of this instance; none while it is draining' },
    ),
  },
  named('Readiness'),
)
type Readiness = Static<typeof Readiness>

type Check = Readiness['checks'][number]['status']

const readiness = (state: Readiness['state'], status: Check): Readiness => ({
  ready: state === 'ready',
  state,
  checks: [{ name: 'database', status }],
})

const checkOf = (failure: unknown): Check => {
  if (failure === null) return 'ok'
  if (failure instanceof DatabaseReadOnly) return 'read_only'
  return failure instanceof DiskFull ? 'disk_full' : 'no_answer'
}

const STATES: Record<Check, Readiness['state']> = {
  ok: 'ready',
  read_only: 'degraded',
  no_answer: 'unavailable',
  disk_full: 'unavailable',
}

const DRAINING: Readiness = { ready: false, state: 'draining', checks: [] }

/** Body of `/readyz` while the service waits for its database, with the reason. */
export const startingWith = (failure: Error): Readiness => readiness('starting', checkOf(failure))

/** Liveness, readiness and metrics; rejects requests under overload, unless `maxDelayMs` is 0. */
export default fp<{ metricsToken: string | null; maxDelayMs: number }>(
  async (app, { metricsToken, maxDelayMs }) => {
    let startedAt = Infinity
    app.addHook('onReady', async () => {
      startedAt = Date.now()
    })
    await app.register(underPressure, {
      maxEventLoopDelay: maxDelayMs,
      // The first measurement covers the start itself, not the load.
      pressureHandler: async () => {
        if (Date.now() - startedAt > SETTLING_MS)
          throw unavailable('The service is overloaded; try again shortly')
      },
    })

    const durations = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from request to response',
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

    app.get('/healthz', {
      config: unlimited,
      schema: {
        operationId: 'getHealth',
        tags: ['Operation'],
        summary: 'Liveness probe',
        description:
          'Returns 200 while the process responds, without checking dependencies. For supervisors that restart it. Public and not rate-limited.',
        response: { 200: Health },
      },
      handler: async () => ({ status: 'ok' as const }),
    })

    app.get('/readyz', {
      config: unlimited,
      schema: {
        operationId: 'getReadiness',
        tags: ['Operation'],
        summary: 'Readiness probe',
        description:
          'For load balancers. Returns 200 if this instance can serve all requests, else 503 with the same body: `no_answer` if the database does not respond within 2.5 seconds, `read_only` if it is a standby and only reads are served, `disk_full` if the disk of the embedded database is full. From SIGTERM on it returns 503 with the state `draining`. Concurrent calls share one check of the database. The instance recovers automatically.',
        response: {
          200: Readiness,
          503: {
            content: {
              'application/json': { schema: Readiness },
              // From an instance that is overloaded.
              'application/problem+json': { schema: problemSchema(503) },
            },
          },
        },
      },
      handler: async (_request, reply) => {
        if (app.stopping.isDraining()) return reply.code(503).header('retry-after', '2').send(DRAINING)
        const failure = await app.connection.ping().then(
          () => null,
          (error: unknown) => error,
        )
        const check = checkOf(failure)
        const body = readiness(STATES[check], check)
        if (!body.ready) reply.code(503).header('retry-after', '2')
        return reply.send(body)
      },
    })

    app.get('/metrics', {
      config: { ...unlimited, errors: [403] },
      schema: {
        operationId: 'getMetrics',
        tags: ['Operation'],
        summary: 'Prometheus metrics',
        description:
          'Metrics of requests, jobs, connections and the process, in the Prometheus text format. If METRICS_TOKEN is set, it is required as bearer token; otherwise only loopback has access. Returns 403 for others.',
        produces: ['text/plain'],
        response: { 200: Type.String({ examples: ['process_cpu_seconds_total 1.5'] }) },
      },
      handler: async (request, reply) => {
        const token = request.headers.authorization?.replace(/^Bearer /i, '')
        if (!mayRead(request, token)) {
          throw new AppError(
            403,
            'forbidden',
            'Metrics require METRICS_TOKEN as bearer token, or, if it is not set, a loopback connection',
          )
        }
        return reply.type('text/plain; version=0.0.4').send(await app.metrics.text())
      },
    })

    /** Loopback is trusted only if no token is set: behind a local proxy, every request comes from there. */
    function mayRead(request: FastifyRequest, token: string | undefined): boolean {
      if (metricsToken === null) return isLocal(request)
      return token !== undefined && timingSafeEqual(sha256(token), sha256(metricsToken))
    }
  },
  { name: 'health', dependencies: ['graceful-shutdown', 'db', 'metrics'] },
)

/** Whether a request comes from this machine and was not forwarded by a proxy on it. */
const isLocal = (request: FastifyRequest): boolean =>
  request.headers['x-forwarded-for'] === undefined &&
  ipaddr.process(addressOf(request)).range() === 'loopback'

const sha256 = (text: string) => createHash('sha256').update(text).digest()
