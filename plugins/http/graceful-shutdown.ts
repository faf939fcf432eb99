import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { AppError } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    stopping: Stopping
  }
}

/** State of the shutdown, for work that waits for external systems. */
export interface Stopping {
  /** Whether `/readyz` says that the instance will stop, or is stopping. */
  isDraining(): boolean
  /** Announces the shutdown to load balancers; requests are still served until it begins. */
  drain(): void
  /** Aborted when the shutdown begins: new calls are refused, running ones finish. */
  begun: AbortSignal
  /** Aborted when running calls take too long; leaves time to respond and to store the outcome. */
  cutOff: AbortSignal
  /** Registers work that `finished` waits for, even if its client has gone. */
  during<T>(work: Promise<T>): Promise<T>
  /** Resolves when all registered work has ended. */
  finished(): Promise<void>
}

/** Time until running calls are aborted. */
const CUT_OFF_MS = 6_000

/** Time until connections are closed, which leaves time for the rest of the shutdown. */
const DRAIN_TIMEOUT_MS = 8_000

const RETRY_SECONDS = 5

/** Answered until the connections are closed. */
const PROBES = new Set(['/healthz', '/readyz'])

/**
 * Finishes running requests on shutdown and rejects new ones. Closes idle connections too, including those without any
 * request yet, which browsers and load balancers open in advance and Node considers busy.
 */
export default fp(
  async (app) => {
    const [begun, cutOff] = [new AbortController(), new AbortController()]
    const unused = new Set<Socket>()
    const work = new Set<Promise<unknown>>()
    let isDraining = false

    app.decorate('stopping', {
      isDraining: () => isDraining,
      drain: () => void (isDraining = true),
      begun: begun.signal,
      cutOff: cutOff.signal,
      during(promise) {
        const ended = promise.then(
          () => undefined,
          () => undefined,
        )
        work.add(ended)
        void ended.then(() => work.delete(ended))
        return promise
      },
      async finished() {
        while (work.size > 0) await Promise.all(work)
      },
    } satisfies Stopping)

    app.server.on('connection', (socket: Socket) => {
      if (begun.signal.aborted) return socket.destroy()
      unused.add(socket)
      socket.once('close', () => unused.delete(socket))
    })
    app.server.on('request', (request) => unused.delete(request.socket))

    app.addHook('preClose', async () => {
      isDraining = true
      begun.abort()
      for (const socket of unused) socket.destroy()
      setTimeout(() => cutOff.abort(), CUT_OFF_MS).unref()
      setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS).unref()
    })
    app.addHook('onRequest', (request, _reply, done) => {
      const isProbe = PROBES.has(request.routeOptions.url ?? '')
      done(begun.signal.aborted && !isProbe ? serviceStopping() : undefined)
    })
    app.addHook('onSend', (_request, reply, _payload, done) => {
      if (begun.signal.aborted) reply.header('connection', 'close')
      done()
    })
  },
  { name: 'graceful-shutdown', dependencies: ['errors'] },
)

/** Returns a 503 for work that another instance, or the next start, will do. */
export const serviceStopping = () =>
  new AppError(503, 'unavailable', 'The service is shutting down; try again shortly', {
    headers: { 'retry-after': String(RETRY_SECONDS) },
  })
