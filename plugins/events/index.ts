import fp from 'fastify-plugin'
import type { Kysely, Transaction } from 'kysely'
import type pg from 'pg'
import { levelOf } from '../http/logging.ts'
import type { Database } from '../../db/tables/index.ts'
import type { EventName, Events } from '../../schemas/events/events.ts'
import { listen } from './listener.ts'
import { MAX_MESSAGE_BYTES, publish } from './queries.ts'

declare module 'fastify' {
  interface FastifyInstance {
    events: EventBus
  }
}

type EventListener<N extends EventName> = (payload: Events[N]) => unknown

export type Tell = <N extends EventName>(name: N, payload: Events[N]) => void

/** Signals between the parts of the service, on all instances. Events for people and channels are in plugins/events/outbox. */
export interface EventBus {
  /**
   * Runs `work` in a transaction and sends its signals with the commit, so that none is lost, even if this process dies
   * then. All listeners of all instances receive them; synchronous listeners on this instance have run when it resolves.
   */
  transaction<T>(
    db: Kysely<Database>,
    work: (trx: Transaction<Database>, tell: Tell) => Promise<T>,
  ): Promise<T>
  /**
   * Sends a signal that nothing depends on to all listeners of all instances. Synchronous listeners on this instance
   * have run when it returns; the app waits for the others when it closes.
   */
  emit: Tell
  on<N extends EventName>(name: N, listener: EventListener<N>): void
  /** Whether signals of all instances arrive here. */
  readonly connected: boolean
}

interface EventsOptions {
  /** Creates a separate session, not yet connected, that bypasses a transaction pooler. */
  createClient: () => pg.Client
}

/** What goes over the wire; without `from`, sent by a statement with its commit. */
interface Message {
  from?: string
  name: EventName
  payload: never
}

/** The typed event bus, in this process and to all others by LISTEN and NOTIFY. */
export default fp<EventsOptions>(
  async (app, { createClient }) => {
    const origin = crypto.randomUUID()
    const listeners = new Map<EventName, EventListener<never>[]>()
    const pending = new Set<Promise<unknown>>()

    function track(work: Promise<unknown>, event: EventName): void {
      const done = work
        .catch((error: unknown) => app.log[levelOf(error)]({ err: error, event }, 'event listener failed'))
        .finally(() => pending.delete(done))
      pending.add(done)
    }

    /** A failing listener must not stop the others or the sender. */
    function dispatch<N extends EventName>(name: N, payload: Events[N]): void {
      for (const listener of listeners.get(name) ?? []) {
        try {
          const result = (listener as EventListener<N>)(payload)
          if (result instanceof Promise) track(result, name)
        } catch (error) {
          app.log[levelOf(error)]({ err: error, event: name }, 'event listener failed')
        }
      }
    }

    const listener = await listen({
      open: createClient,
      received: (message) => {
        const { from, name, payload } = JSON.parse(message) as Message
        if (from !== origin) dispatch(name, payload)
      },
      missed: () => dispatch('events.missed', {}),
      log: app.log,
    })

    function messageOf<N extends EventName>(name: N, payload: Events[N]): string {
      const message = JSON.stringify({ from: origin, name, payload })
      if (Buffer.byteLength(message) <= MAX_MESSAGE_BYTES) return message
      // Receivers of `events.missed` drop their caches, so nothing too long to send is lost.
      return JSON.stringify({ from: origin, name: 'events.missed', payload: {} })
    }

    app.decorate('events', {
      async transaction(db, work) {
        const messages: string[] = []
        const toDispatch: (() => void)[] = []
        const result = await db.transaction().execute(async (trx) => {
          const done = await work(trx, (name, payload) => {
            messages.push(messageOf(name, payload))
            toDispatch.push(() => dispatch(name, payload))
          })
          if (messages.length > 0) await publish(trx, ...messages)
          return done
        })
        for (const dispatchOne of toDispatch) dispatchOne()
        return result
      },
      emit(name, payload) {
        dispatch(name, payload)
        track(publish(app.db, messageOf(name, payload)), name)
      },
      on(name, added) {
        listeners.set(name, [...(listeners.get(name) ?? []), added])
      },
      get connected() {
        return listener.connected
      },
    } satisfies EventBus)

    app.addHook('onClose', async () => {
      while (pending.size > 0) await Promise.all(pending)
      listeners.clear()
      await listener.close()
    })
  },
  { name: 'events', dependencies: ['db'] },
)
