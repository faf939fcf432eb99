import type { Socket } from 'node:net'
import fp from 'fastify-plugin'
import { AppError } from './errors.ts'

/** What is not finished by then is cut off, so that the rest of the stop has its time. */
const DRAIN_TIMEOUT_MS = 8_000

/**
 * A stop that ends: requests under way are finished, new ones refused, and no connection keeps the server
 * open: neither one that is kept alive after its answer, nor one on which nothing was ever sent (browsers
 * and load balancers open those in advance), which Node takes for busy.
 */
export default fp(
  async (app) => {
    let closing = false
    const unused = new Set<Socket>()

    app.server.on('connection', (socket: Socket) => {
      if (closing) return socket.destroy()
      unused.add(socket)
      socket.once('close', () => unused.delete(socket))
    })
    app.server.on('request', (request) => unused.delete(request.socket))

    app.addHook('preClose', async () => {
      closing = true
      for (const socket of unused) socket.destroy()
      setTimeout(() => app.server.closeAllConnections(), DRAIN_TIMEOUT_MS).unref()
    })
    app.addHook('onRequest', (_request, _reply, done) => {
      done(closing ? stopping() : undefined)
    })
    app.addHook('onSend', (_request, reply, _payload, done) => {
      if (closing) reply.header('connection', 'close')
      done()
    })
  },
  { name: 'graceful-shutdown', dependencies: ['errors'] },
)

const stopping = () =>
  new AppError(503, 'unavailable', 'The service is stopping', { headers: { 'retry-after': '5' } })
