import { EventEmitter } from 'node:events'
import type { FastifyBaseLogger } from 'fastify'
import fp from 'fastify-plugin'
import type { Redis } from 'ioredis'
import type { EventName, Events } from '../schemas/events.ts'
import { StartError } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    events: EventBus
  }
}

export interface EventBus {
  /** Tells every listener of every instance; call it after the commit. Listeners here have run when it returns. */
  emit<N extends EventName>(name: N, payload: Events[N]): void
  on<N extends EventName>(name: N, listener: (payload: Events[N]) => void): void
  /** False while Redis, when there is one, is away. */
  readonly connected: boolean
  /** Whether all that is emitted, wherever, arrives here: there is a Redis, and it is connected. */
  readonly acrossInstances: boolean
  close(): Promise<void>
}

const CHANNEL = 'zonekeeper:events'

/** The typed event bus: in-process, and through Redis too when several instances share one. */
export default fp<{ redisUrl: string | null }>(
  async (app, { redisUrl }) => {
    const bus = redisUrl === null ? localBus(app.log) : await redisBus(redisUrl, app.log)
    app.decorate('events', bus)
    app.addHook('onClose', () => bus.close())
  },
  { name: 'events' },
)

function localBus(log: FastifyBaseLogger): EventBus {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  return {
    connected: true,
    acrossInstances: false,
    emit: (name, payload) => void emitter.emit(name, payload),
    on: (name, listener) => {
      emitter.on(name, (payload: Events[typeof name]) => {
        try {
          listener(payload)
        } catch (error) {
          // One bad listener must not keep the others, or the emitter's caller, from going on.
          log.error({ err: error, event: name }, 'event listener failed')
        }
      })
    },
    close: async () => void emitter.removeAllListeners(),
  }
}

async function redisBus(url: string, log: FastifyBaseLogger): Promise<EventBus> {
  const local = localBus(log)
  const origin = crypto.randomUUID()
  const [publisher, subscriber] = await Promise.all([redisClient(url, log), redisClient(url, log)])
  subscriber.on('message', (_channel, message) => {
    const { from, name, payload } = JSON.parse(message) as { from: string; name: EventName; payload: never }
    if (from !== origin) local.emit(name, payload)
  })
  await subscriber.subscribe(CHANNEL).catch((cause: Error) => {
    publisher.disconnect()
    subscriber.disconnect()
    throw new StartError(`REDIS_URL: Redis does not answer: ${cause.message}`, { cause })
  })
  // It subscribes again by itself; what was said while it was away is lost.
  subscriber.on('close', () => local.emit('events.missed', {}))
  subscriber.on('ready', () => local.emit('events.missed', {}))
  return {
    get connected() {
      return subscriber.status === 'ready'
    },
    get acrossInstances() {
      return subscriber.status === 'ready'
    },
    emit: (name, payload) => {
      local.emit(name, payload)
      publisher
        .publish(CHANNEL, JSON.stringify({ from: origin, name, payload }))
        .catch((error: unknown) => log.error({ err: error, event: name }, 'event did not reach Redis'))
    },
    on: (name, listener) => local.on(name, listener),
    close: async () => {
      await local.close()
      // What was said last still goes out.
      await publisher.quit().catch(() => publisher.disconnect())
      subscriber.disconnect()
    },
  }
}

/** A Redis connection that reconnects by itself and reports failures to the log. Loaded only where there is a Redis. */
export async function redisClient(url: string, log: FastifyBaseLogger): Promise<Redis> {
  const { Redis } = await import('ioredis')
  const client = new Redis(url, { maxRetriesPerRequest: 1, connectTimeout: 2_000 })
  client.on('error', (error) => log.warn({ err: error }, 'Redis'))
  return client
}
