import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { AppError } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    stopping: Stopping
  }
}

/** How the service stops, for work that waits for something outside. */
export interface Stopping {
  /** Aborted when the stop begins: what has not been sent anywhere is refused, and what is being sent is finished. */
  begun: AbortSignal
  /** Aborted when what is being sent takes too long; there is time left to answer and to write down how it ended. */
  cutOff: AbortSignal
  /** Work that `finished` waits for, whether its client still waits or not. */
  during<T>(work: Promise<T>): Promise<T>
  /** Resolves when all such work has ended. */
  finished(): Promise<void>
}

/** After which calls of others are cut off. */
const CUT_OFF_MS = 6_000

/** What is not finished by then is cut off, so that the rest of the stop has its time. */
const DRAIN_TIMEOUT_MS = 8_000

const RETRY_SECONDS = 5

/**
 * A stop that ends: requests under way are finished, new ones refused, and no connection keeps the server
 * open: neither one that is kept alive after its answer, nor one on which nothing was ever sent (browsers
 * and load balancers open those in advance), which Node takes for busy.
 */
export default fp(
  async (app) => {
    const [begun, cutOff] = [new AbortController(), new AbortController()]
    const unused = new Set<Socket>()
    const work = new Set<Promise<unknown>>()

    app.decorate('stopping', {
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
      begun.abort()
      for (const socket of unused) socket.destroy()
      setTimeout(() => cutOff.abort(), CUT_OFF_MS).unref()
      setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS).unref()
    })
    app.addHook('onRequest', (_request, _reply, done) => {
      done(begun.signal.aborted ? serviceStopping() : undefined)
    })
    app.addHook('onSend', (_request, reply, _payload, done) => {
      if (begun.signal.aborted) reply.header('connection', 'close')
      done()
    })
  },
  { name: 'graceful-shutdown', dependencies: ['errors'] },
)

/** Nothing was done, and another instance, or the next start, will do it. */
export const serviceStopping = () =>
  new AppError(503, 'unavailable', 'The service is stopping', {
    headers: { 'retry-after': String(RETRY_SECONDS) },
  })
