import { setTimeout as sleep } from 'node:timers/promises'
import closeWithGrace from 'close-with-grace'
import Fastify from 'fastify'
import type { Connection } from '../db/connection/connect.ts'
import { DatabaseUnavailable, isUnavailable, refusesLogin } from '../db/connection/errors.ts'
import errors, { StartError, unavailable } from './http/errors.ts'
import { startingWith } from './health.ts'

interface WaitOptions {
  host: string
  port: number
  /** Seconds until the start fails; 0 for no wait. */
  timeout: number
  /** Called at the start of the wait and when its reason changes. */
  say: (line: string) => void
}

const RETRY_MS = 500

/**
 * Resolves when the database responds. Until then the port is open: `/healthz` returns 200, everything else 503, and
 * SIGTERM ends the process. Rejects with StartError after the timeout, or at once where waiting can't help, such as with
 * a wrong password.
 */
export async function waitForDatabase(connection: Connection, options: WaitOptions): Promise<void> {
  const { timeout, say } = options
  const deadline = performance.now() + timeout * 1000
  let room: WaitingRoom | null = null
  let said = ''
  for (;;) {
    const failure = await connection.ping().then(
      () => null,
      (error: unknown) => error as Error,
    )
    if (failure === null) break
    const reason = reasonOf(failure)
    if (!isUnavailable(failure) || refusesLogin(failure) || performance.now() >= deadline) {
      await room?.close()
      throw new StartError(`DATABASE_URL: the database does not respond: ${reason}`, { cause: failure })
    }
    room ??= await openWaitingRoom(connection, options)
    room.failure = failure
    if (reason !== said) say(`Waiting up to ${timeout} s (START_TIMEOUT) for the database: ${reason}`)
    said = reason
    await sleep(RETRY_MS)
  }
  await room?.close()
}

/** Connecting to a name with several addresses fails with one error per address and no message of its own. */
const reasonOf = (error: Error): string =>
  error instanceof AggregateError
    ? error.errors.map(({ message }: Error) => message).join(', ')
    : error.message

interface WaitingRoom {
  /** Why the database can't be used yet. */
  failure: Error
  close(): Promise<void>
}

/** Listens in place of the service, which can't start without its database. */
async function openWaitingRoom(connection: Connection, { host, port }: WaitOptions): Promise<WaitingRoom> {
  const waiting: WaitingRoom = {
    failure: new DatabaseUnavailable(),
    async close() {
      grace.uninstall()
      await room.close()
    },
  }
  const room = Fastify({ logger: false, forceCloseConnections: true, bodyLimit: 1024 })
  await room.register(errors)
  // Without routes, this hook answers every request before its body is read.
  room.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1)[0]
    if (path === '/healthz') return reply.send({ status: 'ok' })
    if (path === '/readyz')
      return reply.code(503).header('retry-after', '2').send(startingWith(waiting.failure))
    throw unavailable('The service is starting and waits for its database')
  })
  await room.listen({ host, port }).catch((cause: Error) => {
    throw new StartError(`HOST and PORT: ${cause.message}`, { cause })
  })
  const grace = closeWithGrace({}, async () => {
    await room.close()
    await connection.close()
  })
  return waiting
}
