import type { FastifyBaseLogger } from 'fastify'
import fp from 'fastify-plugin'
import type { Redis } from 'ioredis'
import { v7 as uuidv7 } from 'uuid'
import type { EventMeta, EventName, Events } from '../schemas/events.ts'
import { StartError } from './errors.ts'

declare module 'fastify' {
  interface FastifyInstance {
    events: EventBus
  }
}

export type Listener<N extends EventName> = (payload: Events[N], meta: EventMeta) => unknown

export interface EventBus {
  /**
   * Tells every listener of every instance; call it after the commit. Listeners here that don't wait for
   * anything have run when it returns; the others are waited for when the app closes.
   */
  emit<N extends EventName>(name: N, payload: Events[N]): void
  /**
   * As emit, and resolves when the listeners here are done; rejects when one of them failed. `id`: the
   * event's own, the same when what was told before a crash is told again.
   */
  deliver<N extends EventName>(name: N, payload: Events[N], id: string): Promise<void>
  on<N extends EventName>(name: N, listener: Listener<N>): void
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

/** What one instance tells itself: rejects when a listener failed, after all of them were told. */
type Tell = <N extends EventName>(name: N, payload: Events[N], meta: EventMeta) => Promise<void>

interface LocalBus extends EventBus {
  tell: Tell
}

const metaOf = (id = uuidv7()): EventMeta => ({ id, at: new Date().toISOString(), own: true })

function localBus(log: FastifyBaseLogger): LocalBus {
  const listeners = new Map<EventName, Listener<never>[]>()
  const underWay = new Set<Promise<unknown>>()

  const tell: Tell = async (name, payload, meta) => {
    const work: Promise<unknown>[] = []
    const failures: unknown[] = []
    // One bad listener must not keep the others, or who emits, from going on.
    const failed = (error: unknown) => {
      log.error({ err: error, event: name }, 'event listener failed')
      failures.push(error)
    }
    for (const listener of listeners.get(name) ?? []) {
      try {
        const result = (listener as Listener<typeof name>)(payload, meta)
        if (result instanceof Promise) work.push(result.catch(failed))
      } catch (error) {
        failed(error)
      }
    }
    if (work.length > 0) {
      const all = Promise.all(work)
      underWay.add(all)
      await all.finally(() => underWay.delete(all))
    }
    if (failures.length > 0) throw failures[0]
  }

  return {
    connected: true,
    acrossInstances: false,
    tell,
    // A failure is in the log already.
    emit: (name, payload) => void tell(name, payload, metaOf()).catch(() => {}),
    deliver: (name, payload, id) => tell(name, payload, metaOf(id)),
    on: (name, listener) => {
      listeners.set(name, [...(listeners.get(name) ?? []), listener])
    },
    close: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
      listeners.clear()
    },
  }
}

async function redisBus(url: string, log: FastifyBaseLogger): Promise<EventBus> {
  const local = localBus(log)
  const origin = crypto.randomUUID()
  const [publisher, subscriber] = await Promise.all([redisClient(url, log), redisClient(url, log)])
  subscriber.on('message', (_channel, message) => {
    const { from, name, payload, meta } = JSON.parse(message) as {
      from: string
      name: EventName
      payload: never
      meta: EventMeta
    }
    if (from !== origin) void local.tell(name, payload, { ...meta, own: false }).catch(() => {})
  })
  await subscriber.subscribe(CHANNEL).catch((cause: Error) => {
    publisher.disconnect()
    subscriber.disconnect()
    throw new StartError(`REDIS_URL: Redis does not answer: ${cause.message}`, { cause })
  })
  // It subscribes again by itself; what was said while it was away is lost.
  subscriber.on('close', () => local.emit('events.missed', {}))
  subscriber.on('ready', () => local.emit('events.missed', {}))

  const tellAll: Tell = (name, payload, meta) => {
    const told = local.tell(name, payload, meta)
    publisher
      .publish(CHANNEL, JSON.stringify({ from: origin, name, payload, meta }))
      .catch((error: unknown) => log.error({ err: error, event: name }, 'event did not reach Redis'))
    return told
  }
  return {
    get connected() {
      return subscriber.status === 'ready'
    },
    get acrossInstances() {
      return subscriber.status === 'ready'
    },
    emit: (name, payload) => void tellAll(name, payload, metaOf()).catch(() => {}),
    deliver: (name, payload, id) => tellAll(name, payload, metaOf(id)),
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
